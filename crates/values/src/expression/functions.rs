//! The functions of expressions, as one table for the parser, for help and for completion.

/// A function.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// How many arguments it takes.
    pub arguments: usize,
    /// How it is written.
    pub usage: &'static str,
    /// What it gives.
    pub gives: &'static str,
}

const fn function(name: &'static str, arguments: usize, usage: &'static str, gives: &'static str) -> Function {
    Function { name, arguments, usage, gives }
}

/// All functions, by name.
pub const FUNCTIONS: &[Function] = &[
    function("aw", 1, "aw(x)", "the atomic weight of an all-small game"),
    function("birthday", 1, "birthday(x)", "the day on which the game is born"),
    function("cool", 2, "cool(x, t)", "the game cooled by the number t"),
    function("farstar", 1, "farstar(x)", "how the game compares with a remote star"),
    function("freeze", 1, "freeze(x)", "the game cooled by its temperature"),
    function("heat", 2, "heat(x, t)", "the game heated by t"),
    function("incentives", 1, "incentives(x)", "the best incentives of both players"),
    function("left", 1, "left(x)", "Left's options in canonical form"),
    function("leftstop", 1, "leftstop(x)", "the Left stop"),
    function("mean", 1, "mean(x)", "the mean value"),
    function("miny", 1, "miny(x)", "the negative of tiny-x"),
    function("norton", 2, "norton(x, u)", "the Norton product with the unit u above 0"),
    function("offside", 1, "offside(x)", "a loopy game with endless play a win for Right"),
    function("onside", 1, "onside(x)", "a loopy game with endless play a win for Left"),
    function("ordinal", 2, "ordinal(x, y)", "the ordinal sum x : y"),
    function("outcome", 1, "outcome(x)", "who wins"),
    function("overheat", 3, "overheat(x, s, t)", "the game overheated from s to t"),
    function("rcf", 1, "rcf(x)", "the reduced canonical form"),
    function("remote", 2, "remote(x, n)", "whether the nimber n is remote: no follower of the game equals it"),
    function("right", 1, "right(x)", "Right's options in canonical form"),
    function("rightstop", 1, "rightstop(x)", "the Right stop"),
    function("stops", 1, "stops(x)", "the Left stop and the Right stop"),
    function("temp", 1, "temp(x)", "the temperature"),
    function("thermograph", 1, "thermograph(x)", "the thermograph"),
    function("tiny", 1, "tiny(x)", "tiny-x, {0||0|-x}"),
];
