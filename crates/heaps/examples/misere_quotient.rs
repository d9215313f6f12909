//! The misère quotient of an octal game: `cargo run --release -p perfectplay-heaps --example misere_quotient -- 77 200`.

use heaps::misere::{HeapRules, Limits, Quotient, Uniform};

/// An octal game `0.d1d2d3…`.
struct Octal(Vec<u32>);

impl HeapRules for Octal {
    fn options(&self, n: u32) -> Vec<Vec<u32>> {
        let mut options = Vec::new();
        for (&digit, taken) in self.0.iter().zip(1..=n) {
            let rest = n - taken;
            if digit & 1 == 1 && rest == 0 {
                options.push(vec![]);
            }
            if digit & 2 == 2 && rest > 0 {
                options.push(vec![rest]);
            }
            if digit & 4 == 4 {
                options.extend((1..=rest / 2).map(|part| vec![part, rest - part]));
            }
        }
        options
    }

    fn uniform(&self) -> Option<Uniform> {
        Some(Uniform { taken: self.0.len() as u32, parts: 2 })
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let code = arguments.next().unwrap_or("77".into());
    let up_to = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(100);
    let digits = code.chars().filter_map(|digit| digit.to_digit(8)).collect();
    let mut quotient = Quotient::new(Octal(digits), Limits::default());
    let mut order = 0;
    for heap in 1..=up_to {
        if let Err(error) = quotient.extend(heap) {
            println!("heap {heap}: {error}");
            break;
        }
        if quotient.order() != order {
            order = quotient.order();
            println!(
                "heap {heap}: order {order}, P-types {}, transitions {}",
                quotient.p_types(),
                quotient.transitions()
            );
        }
    }
    let presentation = quotient.presentation();
    println!("generators {:?}", presentation.generators);
    println!("{presentation}");
    let elements = (0..=quotient.largest()).filter_map(|heap| quotient.element(heap.into()));
    let words: Vec<String> = elements.map(|element| presentation.word(quotient.normal_form(element))).collect();
    println!("heaps 0 to {}: {}", quotient.largest(), words.join(" "));
    println!("{:?}, {:?}", quotient.period(), quotient.proof());
}
