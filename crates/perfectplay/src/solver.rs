//! The builder: limits, threads, a method, progress and a stop button, and then a solve.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use game::{Game, Nimber};
use rules::bind::{Bound, Position};
use solve::answer::solution::Solution;
use solve::stopping;

use crate::error::Error;
use crate::game_search::{self, ALPHA_BETA, GameSearch, PROOF_NUMBER};
use crate::game_solution::{self, GameSolution, INDUCTION, Objective, RETROGRADE};
use crate::language::Rules;
use crate::plan::{MethodName, Plan, methods};
use crate::solving::{Amount, Engine, Limits, Monitor, Options, Progress, SolveError, Solved};
use engine::retrograde::Forever;

/// Who is told of progress.
type Listener = Arc<Mutex<dyn FnMut(&Progress) + Send>>;

/// How a game is to be solved. The same solver can solve many games.
///
/// ```
/// use perfectplay::Solver;
/// use std::time::Duration;
///
/// let solver = Solver::new().memory(1 << 28).time(Duration::from_secs(60)).threads(1);
/// let chomp = perfectplay::gallery::find("chomp").unwrap();
/// let solution = solver.solve(chomp, r#"{"rows": 3, "columns": 4}"#)?;
/// assert_eq!(solution.winner.unwrap().to_string(), "first");
/// # Ok::<(), perfectplay::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Solver {
    limits: Limits,
    options: Options,
    /// A method by name, which may be misspelled.
    method: Option<String>,
    progress: Option<Listener>,
    cancel: Option<Arc<AtomicBool>>,
}

impl Solver {
    /// A solver with four gigabytes, no limit of time, and a thread for each core.
    ///
    /// ```
    /// let nim = perfectplay::gallery::find("nim").unwrap();
    /// assert_eq!(perfectplay::Solver::new().solve(nim, r#"{"piles": [1, 2, 4]}"#)?.nimber, Some(7));
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn new() -> Solver {
        Solver::default()
    }

    /// At most so many bytes for positions.
    ///
    /// ```
    /// let connect = perfectplay::gallery::find("connect_k").unwrap();
    /// let solver = perfectplay::Solver::new().memory(10_000);
    /// assert!(solver.solve(connect, r#"{"rows": 6, "columns": 7, "k": 4}"#).unwrap_err().is_limit());
    /// ```
    pub fn memory(mut self, bytes: u64) -> Solver {
        self.limits.memory = bytes;
        self
    }

    /// At most so much time.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let connect = perfectplay::gallery::find("connect_k").unwrap();
    /// let solver = perfectplay::Solver::new().time(Duration::from_millis(1));
    /// assert!(solver.solve(connect, r#"{"rows": 6, "columns": 7, "k": 4}"#).unwrap_err().is_limit());
    /// ```
    pub fn time(mut self, limit: Duration) -> Solver {
        self.limits.time = Some(limit);
        self
    }

    /// At most so many threads.
    ///
    /// ```
    /// let coins = perfectplay::gallery::find("coins").unwrap();
    /// assert!(perfectplay::Solver::new().threads(2).solve(coins, "{}").is_ok());
    /// ```
    pub fn threads(mut self, threads: usize) -> Solver {
        self.options.threads = threads;
        self
    }

    /// This method and no other; a method that does not apply says why. [`methods`] lists them.
    ///
    /// ```
    /// let coins = perfectplay::gallery::find("coins").unwrap();
    /// let solution = perfectplay::Solver::new().method("induction").solve(coins, "{}")?;
    /// assert_eq!(solution.method.name(), "induction");
    /// assert!(perfectplay::Solver::new().method("grundy").solve(coins, "{}").is_err());
    /// assert!(perfectplay::Solver::new().method("magic").solve(coins, "{}").is_err());
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn method(mut self, name: &str) -> Solver {
        self.method = Some(name.to_string());
        self
    }

    /// What runs the rules: compiled code or the interpreter.
    ///
    /// ```
    /// use perfectplay::{Solver, solving::Engine};
    ///
    /// let chomp = perfectplay::gallery::find("chomp").unwrap();
    /// let compiled = Solver::new().engine(Engine::Compiled).solve(chomp, "{}")?;
    /// let interpreted = Solver::new().engine(Engine::Interpreted).solve(chomp, "{}")?;
    /// assert_eq!(compiled.best_moves, interpreted.best_moves);
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn engine(mut self, engine: Engine) -> Solver {
        self.options.engine = engine;
        self
    }

    /// Has the interpreter value positions again once the game is solved.
    ///
    /// ```
    /// use perfectplay::{Solver, solving::Amount};
    ///
    /// let chomp = perfectplay::gallery::find("chomp").unwrap();
    /// let solution = Solver::new().check(Amount::All).solve(chomp, "{}")?;
    /// assert_eq!(solution.checked, Some(solution.positions));
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn check(mut self, amount: Amount) -> Solver {
        self.options.check = Some(amount);
        self
    }

    /// Tells a closure how far a long solve has come, several times a second.
    ///
    /// ```
    /// let solver = perfectplay::Solver::new().progress(|progress| eprintln!("{} positions", progress.positions));
    /// assert!(solver.solve(perfectplay::gallery::find("nim").unwrap(), "{}").is_ok());
    /// ```
    pub fn progress(mut self, listener: impl FnMut(&Progress) + Send + 'static) -> Solver {
        self.progress = Some(Arc::new(Mutex::new(listener)));
        self
    }

    /// Stops when somebody sets this flag.
    ///
    /// ```
    /// use std::sync::{Arc, atomic::AtomicBool};
    /// use perfectplay::{Error, SolveError, Solver};
    ///
    /// let stopped = Arc::new(AtomicBool::new(true));
    /// let hex = perfectplay::gallery::find("hex").unwrap();
    /// let error = Solver::new().cancelled_by(stopped).solve(hex, r#"{"size": 4}"#).unwrap_err();
    /// assert!(matches!(error, Error::Solve(SolveError::Interrupted { .. })));
    /// ```
    pub fn cancelled_by(mut self, flag: Arc<AtomicBool>) -> Solver {
        self.cancel = Some(flag);
        self
    }

    /// Solves a game from its rules and an instance, which is a JSON object.
    ///
    /// ```
    /// let coins = perfectplay::gallery::find("coins").unwrap();
    /// let solution = perfectplay::Solver::new().solve(coins, r#"{"coins": [5, 3, 7, 10]}"#)?;
    /// assert_eq!((solution.value, solution.scores), (Some(5), Some(vec![15, 10])));
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn solve(&self, rules: &str, instance: &str) -> Result<Solution, Error> {
        let (rules, mut monitor) = (Rules::new(rules), self.monitor());
        let bound = self.bound(&rules, instance, &monitor)?;
        let solution = self.options().and_then(|options| solve::answer::answer(&bound, &options, &mut monitor));
        solution.map_err(|error| Error::solving(error, &rules))
    }

    /// Binds an instance to rules within the limits: a `let` may compute for long.
    fn bound(&self, rules: &Rules, instance: &str, monitor: &Monitor) -> Result<Bound, Error> {
        let scope = stopping::scope(monitor);
        let bound = rules.bind(instance);
        match stopping::stopped(&scope) {
            Some(error) => Err(Error::solving(error, rules)),
            None => bound,
        }
    }

    /// Solves a game that is bound, and puts the answer together.
    ///
    /// ```
    /// use perfectplay::{Solver, language::Rules};
    ///
    /// let game = Rules::gallery("wythoff").unwrap().bind(r#"{"a": 3, "b": 5}"#)?;
    /// assert_eq!(Solver::new().answer(&game)?.outcome.unwrap().to_string(), "lose");
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn answer(&self, bound: &Bound) -> Result<Solution, SolveError> {
        solve::answer::answer(bound, &self.options()?, &mut self.monitor())
    }

    /// What would be done, and why: the plan with which [`Solver::solve`] begins. Whether it is given up for another one shows only as it
    /// runs: [`crate::plan::explain`] looks.
    ///
    /// ```
    /// use perfectplay::{Solver, language::Rules};
    ///
    /// let game = Rules::gallery("coins").unwrap().bind("{}")?;
    /// let plan = Solver::new().plan(&game)?;
    /// assert_eq!(plan.method().name(), "row");
    /// assert!(plan.why().contains("valley"));
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn plan<'b>(&self, bound: &'b Bound) -> Result<Plan<'b>, SolveError> {
        crate::plan::plan(bound, &bound.start, &self.options()?, &mut self.monitor())
    }

    /// The solved game itself, which can be asked about every position that can be reached.
    ///
    /// ```
    /// use perfectplay::{Solver, language::Rules, moves};
    ///
    /// let game = Rules::gallery("tic_tac_toe").unwrap().bind("{}")?;
    /// let solved = Solver::new().solved(&game)?;
    /// let position = moves::after(&game, "place(0), place(8)")?.unwrap();
    /// assert_eq!(solved.verdict(&position).unwrap().remoteness(), Some(5));
    /// let best = solved.best_moves(&position, 10)?;
    /// assert_eq!(best.best.iter().map(|mv| &*mv.label).collect::<Vec<_>>(), ["place(2)", "place(6)"]);
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn solved<'b>(&self, bound: &'b Bound) -> Result<Solved<'b>, SolveError> {
        self.solved_from(bound, &bound.start)
    }

    /// The solved game from some position on.
    ///
    /// ```
    /// use perfectplay::{Solver, language::Rules, moves};
    ///
    /// let game = Rules::gallery("coins").unwrap().bind("{}")?;
    /// let position = moves::after(&game, "left")?.unwrap();
    /// let solved = Solver::new().solved_from(&game, &position)?;
    /// assert!(solved.verdict(&position).is_some() && solved.start == position);
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn solved_from<'b>(&self, bound: &'b Bound, from: &Position) -> Result<Solved<'b>, SolveError> {
        solve::solved::solve(bound, from, &self.options()?, &mut self.monitor())
    }

    /// Statistics over all positions of a game that play can reach.
    ///
    /// ```
    /// use perfectplay::{Solver, language::Rules};
    ///
    /// let game = Rules::gallery("coins").unwrap().bind(r#"{"coins": [5, 3, 7]}"#)?;
    /// assert_eq!(Solver::new().survey(&game)?.scores.unwrap().total(), 10);
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn survey(&self, bound: &Bound) -> Result<crate::survey::Survey, SolveError> {
        solve::survey::survey(bound, &self.options()?, &mut self.monitor())
    }

    /// Solves a game written in Rust on one thread. Play without end is a draw; between two players gains count by their difference.
    /// The methods are backward induction and retrograde analysis.
    ///
    /// See [`crate::rust_games`] for an example.
    pub fn solve_game<'g, G: Game>(&self, game: &'g G) -> Result<GameSolution<'g, G>, SolveError> {
        self.solve_game_with(game, Forever::Draw, Objective::Difference)
    }

    /// Solves a game written in Rust that says what endless play and gains mean.
    ///
    /// See [`crate::rust_games`] for an example.
    pub fn solve_game_with<'g, G: Game>(
        &self,
        game: &'g G,
        forever: Forever,
        objective: Objective,
    ) -> Result<GameSolution<'g, G>, SolveError> {
        let method = self.method_for_game(&[INDUCTION, RETROGRADE])?;
        game_solution::solve_game(game, (forever, objective), method, &mut self.monitor())
    }

    /// Solves a game written in Rust that is impartial and won by the last mover, with the nimber of every position.
    ///
    /// See [`crate::rust_games`] for an example.
    pub fn solve_impartial<'g, G: Game>(&self, game: &'g G) -> Result<GameSolution<'g, G>, SolveError> {
        self.method_for_game(&[INDUCTION])?;
        game_solution::solve_impartial(game, &mut self.monitor())
    }

    /// Searches the value of the start of a game written in Rust for two players, without the values of all positions: by alpha-beta,
    /// or by proof numbers where that is asked for. Play must not come back to a position.
    ///
    /// See [`crate::rust_games`] for an example.
    pub fn search_game<'g, G: Game + Sync>(&self, game: &'g G) -> Result<GameSearch<'g, G>, SolveError>
    where
        G::Position: Send,
    {
        let method = self.method_for_game(&[ALPHA_BETA, PROOF_NUMBER])?;
        game_search::search_game(game, method, self.options.threads(), self.monitor())
    }

    /// The nimber of a sum of positions of impartial games, each the start of its own: the XOR of theirs. The limits hold for each.
    ///
    /// See [`crate::rust_games`] for an example.
    pub fn nimber_of_sum<G: Game>(&self, parts: &[&G]) -> Result<Nimber, SolveError> {
        parts.iter().try_fold(0, |sum, game| {
            let solution = self.solve_impartial(*game)?;
            Ok(sum ^ solution.value().nimber().unwrap_or(0))
        })
    }

    /// The method that was asked for, one of those that there are for a game written in Rust. What is for rules files only is refused.
    fn method_for_game(&self, known: &[&str]) -> Result<Option<MethodName>, SolveError> {
        let options = self.options()?;
        let refused = |why: String| Err(SolveError::NotApplicable(why));
        if options.engine != Engine::default() {
            return refused("a game written in Rust is run as it is: there is no engine to choose".to_string());
        }
        if options.check.is_some() {
            return refused("a game written in Rust cannot be checked: there is no interpreter of it".to_string());
        }
        match options.method {
            Some(method) if !known.contains(&method.name()) => refused(format!(
                "the method `{method}` does not apply to a game written in Rust; here there is {}",
                known.join(" and ")
            )),
            method => Ok(method),
        }
    }

    /// What is asked, for the functions that take [`Options`].
    ///
    /// ```
    /// assert_eq!(perfectplay::Solver::new().threads(3).options()?.threads, 3);
    /// # Ok::<(), perfectplay::SolveError>(())
    /// ```
    pub fn options(&self) -> Result<Options, SolveError> {
        let Some(name) = &self.method else { return Ok(self.options.clone()) };
        let unknown = || {
            let names: Vec<&str> = methods().map(|method| method.name()).collect();
            SolveError::NotApplicable(format!("there is no method `{name}`; the methods are {}", names.join(", ")))
        };
        let method = solve::methods::find(name).ok_or_else(unknown)?;
        Ok(Options { method: Some(method), ..self.options.clone() })
    }

    /// The limits of memory and time.
    ///
    /// ```
    /// assert_eq!(perfectplay::Solver::new().memory(1000).limits().memory, 1000);
    /// ```
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// A monitor with these limits, whose clock starts now, for the functions that take one.
    ///
    /// ```
    /// let monitor = perfectplay::Solver::new().memory(1000).monitor();
    /// assert_eq!(monitor.memory().free(), 1000);
    /// ```
    pub fn monitor(&self) -> Monitor {
        self.monitor_within(&self.limits)
    }

    /// A monitor with other limits, whose clock starts now; progress and the stop button are those of the solver.
    ///
    /// ```
    /// let solver = perfectplay::Solver::new();
    /// let limits = perfectplay::solving::Limits { memory: 1000, ..solver.limits().clone() };
    /// assert_eq!(solver.monitor_within(&limits).memory().free(), 1000);
    /// ```
    pub fn monitor_within(&self, limits: &Limits) -> Monitor {
        let mut monitor = Monitor::new(limits);
        if let Some(flag) = &self.cancel {
            monitor = monitor.cancelled_by(Arc::clone(flag));
        }
        match self.progress.clone() {
            None => monitor,
            Some(listener) => monitor.reporting_to(Box::new(move |progress| {
                listener.lock().unwrap_or_else(PoisonError::into_inner)(progress);
            })),
        }
    }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Solver { limits, options, method, .. } = self;
        f.debug_struct("Solver").field("limits", limits).field("options", options).field("method", method).finish()
    }
}
