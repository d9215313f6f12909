//! Games written in Rust, solved through the trait `Game`.

use perfectplay::rust_games::{End, Forever, Game, Objective, Outcome, Play, Player, Verdict};
use perfectplay::{SolveError, Solver};

/// Noughts and crosses.
struct TicTacToe;

impl Game for TicTacToe {
    type Position = [u8; 9];
    type Move = usize;

    fn start(&self) -> [u8; 9] {
        [0; 9]
    }

    fn mover(&self, board: &[u8; 9]) -> Player {
        Player(board.iter().filter(|&&cell| cell != 0).count() as u8 % 2)
    }

    fn end(&self, board: &[u8; 9]) -> Option<End> {
        let lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
        if lines.iter().any(|line| board[line[0]] != 0 && line.iter().all(|&cell| board[cell] == board[line[0]])) {
            return Some(End::Outcome(Outcome::Loss));
        }
        board.iter().all(|&cell| cell != 0).then_some(End::Outcome(Outcome::Draw))
    }

    fn moves(&self, board: &[u8; 9]) -> Vec<Play<usize, [u8; 9]>> {
        let mark = 1 + self.mover(board).0;
        let place = |cell: usize| {
            let mut option = *board;
            option[cell] = mark;
            Play { mv: cell, gains: Vec::new(), option }
        };
        (0..9).filter(|&cell| board[cell] == 0).map(place).collect()
    }
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let solution = Solver::new().solve_game(&TicTacToe).unwrap();
    assert_eq!(solution.positions(), 5478);
    assert_eq!(solution.value(), Verdict::outcome_in(Outcome::Draw, Some(9)));
    assert_eq!(solution.best_moves(&[0; 9]).unwrap().len(), 9);
    let corner = [1, 0, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(solution.best_moves(&corner).unwrap(), [4], "only the centre holds against a corner");
    assert_eq!(solution.value_of(&[1; 9]), None);
}

/// A row of coins, taken from either end.
struct Coins(Vec<i64>);

impl Game for Coins {
    type Position = (Player, usize, usize);
    type Move = &'static str;

    fn start(&self) -> Self::Position {
        (Player::FIRST, 0, self.0.len())
    }

    fn mover(&self, position: &Self::Position) -> Player {
        position.0
    }

    fn end(&self, position: &Self::Position) -> Option<End> {
        (position.1 == position.2).then(|| End::Gains(vec![0, 0]))
    }

    fn moves(&self, &(mover, i, j): &Self::Position) -> Vec<Play<&'static str, Self::Position>> {
        let play = |mv, coin: i64, i, j| {
            let mut gains = vec![0, 0];
            gains[mover.index()] = coin;
            Play { mv, gains, option: (mover.other(), i, j) }
        };
        vec![play("left", self.0[i], i + 1, j), play("right", self.0[j - 1], i, j - 1)]
    }
}

#[test]
fn coins_by_difference_and_by_own_total() {
    for (coins, value, totals, best) in [
        (vec![5, 3, 7, 10], 5, [15, 10], &["right"][..]),
        (vec![8, 15, 3, 7], 11, [22, 11], &["right"]),
        (vec![4, 4], 0, [4, 4], &["left", "right"]),
        (vec![], 0, [0, 0], &[]),
    ] {
        let game = Coins(coins);
        let solution = Solver::new().solve_game(&game).unwrap();
        assert_eq!(solution.value(), Verdict::Score(value));
        assert_eq!(solution.best_moves(&game.start()).unwrap(), best);
        let own = Solver::new().solve_game_with(&game, Forever::Draw, Objective::Own).unwrap();
        assert_eq!(own.value(), Verdict::Payoffs { totals: totals.into(), unique: Some(true) });
        assert_eq!(own.best_moves(&game.start()).unwrap(), best);
    }
    let overflow = Coins(vec![i64::MAX, -5]);
    assert_eq!(Solver::new().solve_game(&overflow).err(), Some(SolveError::Overflow));
}

/// A token on a ring of `size` places; a player moves it one or two places on. Who brings it to place 0 wins, or nobody can
/// where `size` is 0 and the token goes round for ever. With gains, each move earns one.
struct Ring {
    places: u32,
    target: bool,
    gains: bool,
}

impl Game for Ring {
    type Position = (Player, u32);
    type Move = u32;

    fn start(&self) -> (Player, u32) {
        (Player::FIRST, 1)
    }

    fn mover(&self, position: &(Player, u32)) -> Player {
        position.0
    }

    fn end(&self, position: &(Player, u32)) -> Option<End> {
        (self.target && position.1 == 0).then_some(End::Outcome(Outcome::Loss))
    }

    fn moves(&self, &(mover, place): &(Player, u32)) -> Vec<Play<u32, (Player, u32)>> {
        let gains = if self.gains { vec![1, 1] } else { Vec::new() };
        let play =
            |steps| Play { mv: steps, gains: gains.clone(), option: (mover.other(), (place + steps) % self.places) };
        vec![play(1), play(2)]
    }
}

#[test]
fn games_that_go_round() {
    let endless = Ring { places: 5, target: false, gains: false };
    let draw = Verdict::outcome_in(Outcome::Draw, None);
    assert_eq!(Solver::new().solve_game(&endless).unwrap().value(), draw);
    for (player, outcome) in [(Player::FIRST, Outcome::Win), (Player::SECOND, Outcome::Loss)] {
        let solution = Solver::new().solve_game_with(&endless, Forever::Win(player), Objective::Difference).unwrap();
        assert_eq!(solution.value(), Verdict::outcome_in(outcome, None));
    }
    let counted = Ring { places: 5, target: false, gains: true };
    assert!(
        matches!(Solver::new().solve_game(&counted).err(), Some(SolveError::NotApplicable(why)) if why.contains("a cycle of"))
    );
    let mixed = Ring { places: 3, target: true, gains: true };
    let error = Solver::new().solve_game(&mixed).err();
    assert!(matches!(error, Some(SolveError::NotApplicable(_))), "{error:?}");
}

/// Three players, each of whom in turn may give the last coin to either of the others: nobody cares, so nothing is unique.
struct Gift;

impl Game for Gift {
    type Position = (Player, Option<u8>);
    type Move = u8;

    fn players(&self) -> usize {
        3
    }

    fn start(&self) -> Self::Position {
        (Player::FIRST, None)
    }

    fn mover(&self, position: &Self::Position) -> Player {
        position.0
    }

    fn end(&self, position: &Self::Position) -> Option<End> {
        position.1.map(|lucky| End::Gains((0..3).map(|player| i64::from(player == lucky)).collect()))
    }

    fn moves(&self, &(mover, _): &Self::Position) -> Vec<Play<u8, Self::Position>> {
        let others = (0..3).filter(|&player| player != mover.0);
        others.map(|lucky| Play { mv: lucky, gains: Vec::new(), option: (mover.next(3), Some(lucky)) }).collect()
    }
}

#[test]
fn a_gift_among_three_is_not_unique() {
    let solution = Solver::new().solve_game(&Gift).unwrap();
    assert_eq!(solution.value(), Verdict::Payoffs { totals: [0, 1, 0].into(), unique: Some(false) });
    assert_eq!(solution.best_moves(&Gift.start()).unwrap(), [1, 2]);
}

/// Too many players for winning and losing; also a position without moves that is not over.
struct Broken {
    players: usize,
    over: bool,
}

impl Game for Broken {
    type Position = Player;
    type Move = ();

    fn players(&self) -> usize {
        self.players
    }

    fn start(&self) -> Player {
        Player(0)
    }

    fn mover(&self, position: &Player) -> Player {
        *position
    }

    fn end(&self, _: &Player) -> Option<End> {
        self.over.then_some(End::Outcome(Outcome::Win))
    }

    fn moves(&self, _: &Player) -> Vec<Play<(), Player>> {
        Vec::new()
    }
}

#[test]
fn mistakes_in_a_game_are_told() {
    for (players, over) in [(3, true), (2, false)] {
        let error = Solver::new().solve_game(&Broken { players, over }).err();
        assert!(matches!(error, Some(SolveError::NotApplicable(_))), "{error:?}");
    }
    let error = Solver::new().memory(10_000).solve_game(&TicTacToe).err();
    assert!(matches!(error, Some(SolveError::Limit { positions: 50.., .. })), "{error:?}");
}

/// Settings that a game written in Rust cannot have are refused, and the others hold.
#[test]
fn settings_of_games_in_rust_hold_or_are_refused() {
    use perfectplay::solving::{Amount, Engine};

    let why = |solver: Solver| match solver.solve_game(&TicTacToe) {
        Err(SolveError::NotApplicable(why)) => why,
        other => panic!("{:?}", other.map(|solution| solution.value())),
    };
    assert!(why(Solver::new().method("magic")).contains("there is no method `magic`"));
    assert!(why(Solver::new().method("fill")).contains("here there is induction and retrograde"));
    assert!(why(Solver::new().engine(Engine::Compiled)).contains("no engine"));
    assert!(why(Solver::new().check(Amount::All)).contains("cannot be checked"));
    assert!(Solver::new().method("retrograde").solve_impartial(&TicTacToe).is_err());
    assert!(Solver::new().method("induction").search_game(&TicTacToe).is_err());
    for method in ["induction", "retrograde"] {
        let solution = Solver::new().method(method).solve_game(&TicTacToe).unwrap();
        assert_eq!((solution.method().name(), solution.value()), (method, Verdict::outcome_in(Outcome::Draw, Some(9))));
    }
    for method in ["alpha_beta", "proof_number"] {
        let search = Solver::new().method(method).search_game(&TicTacToe).unwrap();
        assert_eq!((search.method().name(), search.value()), (method, Verdict::outcome_in(Outcome::Draw, None)));
        assert_eq!(search.best_moves(&[1, 0, 0, 0, 0, 0, 0, 0, 0]).unwrap(), [4]);
    }
    let little = Solver::new().memory(10_000).search_game(&TicTacToe).err();
    assert!(little.is_some_and(|error| error.is_limit()));
}
