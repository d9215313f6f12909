//! Certificates: what every method writes is verified, and nothing else is.

use std::time::Duration;

use perfectplay::answer::{Solution, solution};
use perfectplay::certificates::{self, Refusal, Unwritten, Verified, Written};
use perfectplay::gallery::GALLERY;
use perfectplay::language::{Bound, example_instance, bind};
use perfectplay::solving::{Limits, Monitor, Options, SolveError, Solved, solve};
use testkit::files;

fn monitor() -> Monitor {
    Monitor::new(&Limits { memory: 512 << 20, time: Some(Duration::from_secs(20)) })
}

/// The certificate of an answer, and what was written.
fn certificate(solved: &Solved<'_>, solution: &Solution, rules: &str) -> Result<(Vec<u8>, Written), SolveError> {
    let mut file = Vec::new();
    match certificates::write(solved, solution, rules, &mut file, &mut monitor()) {
        Ok(written) => Ok((file, written)),
        Err(Unwritten::Solve(error)) => Err(error),
        Err(Unwritten::File(error)) => panic!("{error}"),
    }
}

fn check(file: &[u8]) -> Result<Verified, Refusal> {
    certificates::check(file, &mut monitor())
}

/// Solves, writes and checks; gives the file, unless a limit was reached.
fn round(name: &str, source: &str, bound: &Bound, options: &Options) -> Option<Vec<u8>> {
    let solved = match solve(bound, &bound.start, options, &mut monitor()) {
        Ok(solved) => solved,
        Err(error) if error.is_limit() => return None,
        Err(SolveError::NotApplicable(_) | SolveError::Fault(_) | SolveError::Overflow) => return None,
        Err(error) => panic!("{name}: {error}"),
    };
    let told = solution(&solved, &mut monitor()).unwrap();
    let (file, written) = match certificate(&solved, &told, source) {
        Ok(written) => written,
        Err(error) if error.is_limit() => {
            println!("{name}: {error}");
            return None;
        }
        Err(error) => panic!("{name}, {}: {error}", told.method),
    };
    let verified = check(&file).unwrap_or_else(|refusal| panic!("{name}, {}: {refusal}", told.method));
    assert_eq!(verified.certificate.claim, written.claim, "{name}");
    assert_eq!(verified.certificate.position, solved.start, "{name}");
    assert_eq!(verified.positions, written.positions, "{name}");
    let claim = &written.claim;
    assert!(claim.payoffs.is_some() || claim.outcome == told.outcome, "{name}: {claim:?}");
    assert!(claim.value == told.value, "{name}: {claim:?}");
    for (claimed, told) in [(claim.nimber, told.nimber), (claim.remoteness, told.remoteness)] {
        assert!(claimed.is_none() || claimed == told, "{name}: {claim:?}");
    }
    Some(file)
}

#[test]
fn every_example_of_the_gallery_has_one() {
    for (name, source) in GALLERY {
        let program = files::program(source);
        for example in &program.examples {
            let instance = example_instance(&program, example).unwrap();
            let Ok(bound) = bind(&program, &instance) else { continue };
            let began = std::time::Instant::now();
            let file = round(&format!("{name} {instance}"), source, &bound, &Options::default());
            println!("{name} {instance}: {:?} bytes, {:?}", file.map(|file| file.len()), began.elapsed());
        }
    }
}
