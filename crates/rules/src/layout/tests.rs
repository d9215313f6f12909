//! Positions survive packing, and what does not fit is named.

use testkit::Random;

use super::*;

fn layout(spaces: &[Space]) -> Layout {
    let mut layout = Layout::EMPTY;
    for (index, space) in spaces.iter().enumerate() {
        layout.add(&format!("v{index}"), space).unwrap();
    }
    layout
}

fn range(low: i64, high: i64) -> Space {
    Space::Range { low, high }
}

fn array(item: Space, length: usize) -> Space {
    Space::Array { item: Box::new(item), shortest: length, longest: length }
}

fn names() -> Space {
    Space::Names(["empty", "x", "o"].map(String::from).to_vec())
}

fn subsets(low: i64, size: usize) -> Space {
    Space::Subsets { low, size, names: None }
}

/// Spaces and values by chance.
struct Chance(Random);
impl Chance {
    fn next(&mut self) -> u64 {
        self.0.next()
    }
    fn value(&mut self, space: &Space) -> Value {
        match space {
            Space::Subsets { low, size, .. } => {
                Value::set((0..*size).filter(|_| self.next() & 1 == 1).map(|bit| low + bit as i64).collect())
            }
            Space::Array { item, shortest, .. } => {
                let items: Vec<Value> = (0..*shortest).map(|_| self.value(item)).collect();
                crate::space::list(item, items.into_iter())
            }
            scalar => match self.next() % 4 {
                0 => scalar.nth(0),
                1 => scalar.nth(scalar.count() - 1),
                _ => scalar.nth(u128::from(self.next()) % scalar.count()),
            },
        }
    }
    fn space(&mut self, depth: usize) -> Space {
        match self.next() % if depth == 0 { 6 } else { 7 } {
            0 => Space::Bool,
            1 => names(),
            2 => subsets(self.next() as i64 >> 40, (self.next() % 200) as usize),
            3 => range(i64::MIN, i64::MAX),
            4 | 5 => {
                let low = (self.next() as i64) >> (self.next() % 64);
                range(low, low.saturating_add((self.next() >> 1 >> (self.next() % 63)) as i64))
            }
            _ => array(self.space(depth - 1), (self.next() % 5) as usize),
        }
    }
}

#[test]
fn every_position_survives_packing() {
    let mut random = Chance(Random::new(1));
    for _ in 0..3000 {
        let spaces: Vec<Space> = (0..random.next() % 6).map(|_| random.space(2)).collect();
        let layout = layout(&spaces);
        let mut cells = vec![0; layout.cells()];
        let values: Vec<Value> = spaces.iter().map(|space| random.value(space)).collect();
        for (variable, value) in values.iter().enumerate() {
            let slot = &layout.variables[variable];
            let own = &mut cells[slot.offset..slot.offset + slot.cells];
            layout.write(Target::whole(variable), value, own, true).unwrap();
        }
        assert_eq!(layout.misfit(&cells), None);
        let mut words = vec![u64::MAX; layout.words()];
        layout.pack(&cells, &mut words);
        let mut back = vec![-1; layout.cells()];
        layout.unpack(&words, &mut back);
        assert_eq!(cells, back);
        for (variable, value) in values.iter().enumerate() {
            let slot = &layout.variables[variable];
            assert_eq!(layout.read(variable, 0, &back[slot.offset..slot.offset + slot.cells]), *value);
        }
    }
}

#[test]
fn bits_are_minimal() {
    let layout = layout(&[range(0, 4), array(names(), 3), subsets(0, 70), range(7, 7), Space::Bool]);
    assert_eq!(layout.bits(), 3 + 6 + 70 + 1);
    assert_eq!(layout.words(), 2);
    assert_eq!(layout.cells(), 1 + 3 + 2 + 1 + 1);
}

#[test]
fn a_cell_outside_its_domain_is_named() {
    let layout = layout(&[range(0, 4), array(array(names(), 2), 2)]);
    assert_eq!(layout.misfit(&[4, 0, 1, 2, 0]), None);
    assert_eq!(layout.misfit(&[5, 0, 0, 0, 0]).unwrap().text, "v0 = 5 is outside 0..=4");
    assert_eq!(layout.misfit(&[0, 0, 0, -1, 0]).unwrap().text, "v1[1][0] = -1 is outside {empty, x, o}");
}

#[test]
fn shapes_are_checked() {
    let layout = layout(&[array(range(0, 9), 3), subsets(0, 3), array(Space::EMPTY, 0)]);
    let write = |variable: usize, value: Value| {
        let mut cells = vec![0; layout.variables[variable].cells];
        layout.write(Target::whole(variable), &value, &mut cells, true).map_err(|m| m.text)
    };
    assert_eq!(write(0, Value::ints(vec![1, 2, 3])), Ok(()));
    assert_eq!(write(0, Value::ints(vec![1, 2])).unwrap_err(), "v0 holds 3 items, and was given 2 items");
    assert_eq!(write(0, Value::ints(vec![1, 20, 3])).unwrap_err(), "v0[1] = 20 is outside 0..=9");
    assert_eq!(write(1, Value::set(vec![0, 3])).unwrap_err(), "v1 contains 3, outside set of 0..=2");
    assert_eq!(write(2, Value::ints(vec![])), Ok(()));
    assert!(write(2, Value::ints(vec![1])).is_err());
}

#[test]
fn limits_hold() {
    let mut big = Layout::EMPTY;
    assert!(big.add("a", &array(Space::Bool, CELL_LIMIT + 1)).is_err());
    assert!(big.add("a", &array(array(Space::Bool, usize::MAX / 2), 4)).is_err());
    assert!(big.add("s", &subsets(0, SET_LIMIT + 1)).is_err());
    assert!(big.add("a", &array(Space::Bool, CELL_LIMIT)).is_ok());
    assert!(big.add("b", &Space::Bool).is_err());
}
