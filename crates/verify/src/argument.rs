//! The arguments of a certificate: what each is about, and who checks it.

use std::io::Read;

use game::Player;
use rules::bind::{Bound, Position};

use crate::entries::Entries;
use crate::lengths::{self, Lengths};
use crate::periods::{self, LARGEST, Period};
use crate::places::Order;
use crate::proved::Proved;
use crate::ranges::{self, Ranges};
use crate::refusal::Refusal;
use crate::sparse::{self, Sparse};
use crate::strategy::{self, GOALS, Goal, Strategy};
use crate::stream::Reader;
use crate::{loopy, nimbers, outcomes, payoffs, quotient, stoppers, values};

/// An argument; its entries follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A strategy.
    Strategy {
        /// Who is to move in the position.
        turn: Player,
        /// Whose strategy it is.
        player: Player,
        /// What it reaches.
        goal: Goal,
        /// Whether positions of a sum that differ in the order of their parts count as one.
        order: Order,
    },
    /// Won, drawn or lost, and in how many moves, for every position that play can reach.
    Outcomes {
        /// Who is to move in the position.
        turn: Player,
    },
    /// What everyone gets, for every position that play can reach.
    Payoffs,
    /// The nimbers of all parts that can come up.
    Nimbers,
    /// The values of all parts that can come up, and come back.
    Loopy,
    /// The values of all parts that can come up, as partizan games.
    Values,
    /// The nimbers of all heaps, which repeat.
    Period(Period),
    /// The lengths of play with one heap, which repeat.
    Lengths(Lengths),
    /// The nimbers of all heaps, where large ones become the heaps of a range.
    Ranges(Ranges),
    /// The nimbers of very many heaps that fall into two, most of them of one kind.
    Sparse(Sparse),
    /// A value with loops, by duels with the stoppers that it is worth.
    Stoppers,
    /// A misère quotient of the parts that can come up, or of all heaps, where their elements repeat.
    Quotient(Option<Period>),
    /// Some positions and their options: no proof.
    Sample,
}

impl Argument {
    /// The argument as numbers: its kind, and what belongs to that.
    pub fn numbers(self) -> Vec<u64> {
        match self {
            Argument::Strategy { turn, player, goal, order } => {
                let goal = GOALS.iter().position(|other| *other == goal).unwrap_or(0) as u64;
                vec![1, turn.0.into(), player.0.into(), goal, u64::from(order == Order::Kept)]
            }
            Argument::Outcomes { turn } => vec![2, turn.0.into()],
            Argument::Payoffs => vec![3],
            Argument::Nimbers => vec![4],
            Argument::Loopy => vec![5],
            Argument::Sample => vec![6],
            Argument::Values => vec![7],
            Argument::Stoppers => vec![12],
            Argument::Quotient(period) => {
                let Period { alike, first, length } = period.unwrap_or_default();
                vec![13, alike, first, length]
            }
            Argument::Period(Period { alike, first, length }) => vec![8, alike, first, length],
            Argument::Lengths(Lengths { alike, first, length, more }) => vec![9, alike, first, length, more],
            Argument::Ranges(Ranges { alike }) => vec![10, alike],
            Argument::Sparse(Sparse { alike, mask, heaps, period }) => {
                let (first, length) = period.unwrap_or_default();
                vec![11, alike, mask, heaps, first, length]
            }
        }
    }

    /// Reads the next argument; `None` behind the last.
    pub(crate) fn read<R: Read>(reader: &mut Reader<R>) -> Result<Option<Argument>, Refusal> {
        Ok(Some(match reader.at_most(13, "the kind of an argument")? {
            0 => return Ok(None),
            1 => {
                let turn = player(reader)?;
                let player = player(reader)?;
                let goal = GOALS[reader.at_most(2, "a goal")? as usize];
                let kept = reader.at_most(1, "an order")? == 1;
                Argument::Strategy { turn, player, goal, order: if kept { Order::Kept } else { Order::Forgotten } }
            }
            2 => Argument::Outcomes { turn: player(reader)? },
            3 => Argument::Payoffs,
            4 => Argument::Nimbers,
            5 => Argument::Loopy,
            6 => Argument::Sample,
            7 => Argument::Values,
            10 => Argument::Ranges(Ranges { alike: reader.at_most(LARGEST, "the first heap of a range")? }),
            12 => Argument::Stoppers,
            11 => {
                let alike = reader.at_most(LARGEST, "the first heap of many")?;
                let mask = reader.number()?;
                let mut next = || reader.at_most(LARGEST, "a number of heaps");
                let (heaps, first, length) = (next()?, next()?, next()?);
                let period = ((first, length) != (0, 0)).then_some((first, length));
                Argument::Sparse(Sparse { alike, mask, heaps, period })
            }
            kind => {
                let mut next = || reader.at_most(LARGEST, "a number of a period");
                let (alike, first, length) = (next()?, next()?, next()?);
                match kind {
                    13 if (alike, first, length) == (0, 0, 0) => Argument::Quotient(None),
                    13 => Argument::Quotient(Some(Period { alike, first, length })),
                    8 => Argument::Period(Period { alike, first, length }),
                    _ => Argument::Lengths(Lengths { alike, first, length, more: next()? }),
                }
            }
        }))
    }

    /// Checks the argument with its entries. Gives what it proves, and how many positions it looked at.
    pub fn check(
        self,
        bound: &Bound,
        position: &Position,
        entries: &mut dyn Entries,
    ) -> Result<(Proved, u64), Refusal> {
        let with = |turn: Player| Position { turn, ..position.clone() };
        match self {
            // A score is claimed for the player who is to move in the position itself.
            Argument::Strategy { turn, goal: Goal::Lead, .. } if turn != position.turn => {
                Err(Refusal::wrong("a lead is about another player's turn"))
            }
            Argument::Strategy { turn, player, goal, order } => {
                strategy::check(bound, &with(turn), Strategy { player, goal, order }, entries)
            }
            Argument::Outcomes { turn } => outcomes::check(bound, &with(turn), entries),
            Argument::Payoffs => payoffs::check(bound, position, entries),
            Argument::Nimbers => nimbers::check(bound, position, entries),
            Argument::Loopy => loopy::check(bound, position, entries),
            Argument::Values => values::check(bound, position, entries),
            Argument::Stoppers => stoppers::check(bound, position, entries),
            Argument::Period(period) => periods::check(bound, position, period, entries),
            Argument::Lengths(lengths) => lengths::check(bound, position, lengths, entries),
            Argument::Ranges(ranges) => ranges::check(bound, position, ranges, entries),
            Argument::Sparse(sparse) => sparse::check(bound, position, sparse, entries),
            Argument::Quotient(period) => quotient::check(bound, position, period, entries),
            Argument::Sample => Err(Refusal::wrong("a sample proves nothing")),
        }
    }
}

/// One of two players.
fn player<R: Read>(reader: &mut Reader<R>) -> Result<Player, Refusal> {
    Ok(Player(reader.at_most(1, "one of two players")? as u8))
}
