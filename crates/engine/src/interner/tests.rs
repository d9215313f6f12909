//! Every store of keys against a hash map, and against limits.

use std::collections::HashMap;

use super::keys::mix;
use super::*;
use crate::error::Limit;

#[test]
fn words_agree_with_a_hash_map() {
    for words in 1..=5 {
        let memory = Memory::unlimited();
        let mut table = Interner::<Words>::new(words, &memory);
        let mut map: HashMap<Vec<u64>, Id> = HashMap::new();
        let mut seed = 1u64;
        for _ in 0..200_000 / words {
            let key: Vec<u64> = (0..words)
                .map(|_| {
                    seed = mix(seed, 7);
                    (seed % 40) << (seed >> 60)
                })
                .collect();
            let next = map.len() as Id;
            let known = map.get(&key).copied();
            assert_eq!(table.find(&key), known);
            assert_eq!(table.intern(&key).unwrap(), (known.unwrap_or(next), known.is_none()));
            map.insert(key, known.unwrap_or(next));
        }
        assert_eq!(table.len(), map.len());
        let mut back = vec![0; words];
        for (key, id) in &map {
            table.key(*id, &mut back);
            assert_eq!(&back, key);
            assert_eq!(table.find(key), Some(*id));
        }
        assert_eq!(memory.used(), table.bytes());
    }
}

#[test]
fn one_position_needs_no_word() {
    let mut table = Interner::<Words>::new(0, &Memory::unlimited());
    assert_eq!(table.find(&[]), None);
    assert_eq!(table.intern(&[]).unwrap(), (0, true));
    assert_eq!(table.intern(&[]).unwrap(), (0, false));
    assert_eq!((table.len(), table.find(&[])), (1, Some(0)));
    table.key(0, &mut []);
}

#[test]
fn a_position_of_one_word_costs_less_than_16_bytes() {
    let mut table = Interner::<Words>::new(1, &Memory::unlimited());
    for i in 0..1_000_000u64 {
        table.intern(&[i * i]).unwrap();
        if i % 100_000 == 99_999 {
            let each = (table.bytes() - 65536 * 8) as f64 / (i + 1) as f64;
            assert!((8.0..16.0).contains(&each), "{each} bytes a position at {i}");
        }
    }
}

#[test]
fn a_limit_leaves_words_whole() {
    for limit in [0, 50, 64, 500, 1000, 5000, 100_000, 1_000_000] {
        let memory = Memory::new(limit);
        let mut table = Interner::<Words>::new(3, &memory);
        let mut count = 0u64;
        let error = loop {
            match table.intern(&[count, 5, count / 3]) {
                Ok(_) => count += 1,
                Err(error) => break error,
            }
        };
        assert!(matches!(error, Error::Limit { limit: Limit::Memory { .. }, .. }));
        assert!(memory.peak() <= limit);
        assert_eq!(table.len() as u64, count);
        for i in 0..count {
            assert_eq!(table.intern(&[i, 5, i / 3]).unwrap(), (i as Id, false));
        }
        assert!(table.intern(&[count, 5, count / 3]).is_err());
    }
}

#[test]
fn a_key_cut_off_by_a_limit_can_be_added_later() {
    for held in (0..4000).step_by(24) {
        let memory = Memory::new(4000);
        let mut table = Interner::<Words>::new(3, &memory);
        let mut hold = memory.lease();
        hold.grow(held).unwrap();
        let key = |i: u64| [i, i + 1, i * i];
        let cut = (0..).find(|&i| table.intern(&key(i)).is_err()).unwrap();
        drop(hold);
        let mut back = [0; 3];
        for i in 0..=cut + 1 {
            let Ok((id, new)) = table.intern(&key(i)) else { break };
            assert_eq!((u64::from(id), new), (i, i >= cut));
            table.key(id, &mut back);
            assert_eq!(back, key(i));
        }
    }
}

#[test]
fn lists_agree_with_a_hash_map() {
    let memory = Memory::unlimited();
    let mut table = Interner::<Lists>::new(&memory);
    let mut map: HashMap<Vec<u32>, Id> = HashMap::new();
    let mut seed = 1u64;
    for _ in 0..100_000 {
        seed = mix(seed, 3);
        let key: Vec<u32> = (0..seed % 7).map(|k| (seed >> (8 * k + 3)) as u32 % 5).collect();
        let next = map.len() as Id;
        let known = map.get(&key).copied();
        assert_eq!(table.find(&key), known);
        assert_eq!(table.intern(&key).unwrap(), (known.unwrap_or(next), known.is_none()));
        map.insert(key, known.unwrap_or(next));
    }
    let mut back = vec![9];
    for (key, id) in &map {
        table.key(*id, &mut back);
        assert_eq!(&back, key);
    }
    assert_eq!((table.len(), table.bytes()), (map.len(), memory.used()));
}

#[test]
fn keys_longer_than_a_segment() {
    let mut table = Interner::<Lists>::new(&Memory::unlimited());
    let long: Vec<u32> = (0..200_000).collect();
    let longer: Vec<u32> = (0..200_001).collect();
    assert_eq!(table.intern(&long).unwrap(), (0, true));
    assert_eq!(table.intern(&longer).unwrap(), (1, true));
    assert_eq!(table.intern(&[]).unwrap(), (2, true));
    assert_eq!((table.find(&long), table.find(&longer), table.find(&[])), (Some(0), Some(1), Some(2)));
    let mut back = Vec::new();
    table.key(1, &mut back);
    assert_eq!(back, longer);
}

#[test]
fn a_limit_leaves_lists_whole() {
    for limit in [0, 63, 64, 300, 1000, 10_000, 300_000] {
        let memory = Memory::new(limit);
        let mut table = Interner::<Lists>::new(&memory);
        let key = |i: u32| (0..i % 9).map(|k| i + k).collect::<Vec<u32>>();
        let mut count = 1;
        while table.intern(&key(count)).is_ok() {
            count += 1;
        }
        assert!(memory.peak() <= limit);
        let len = table.len() as Id;
        assert!((1..count).all(|i| table.find(&key(i)).is_some_and(|id| id < len)));
    }
}

#[test]
fn values_agree_with_a_hash_map() {
    let memory = Memory::unlimited();
    let mut table = Interner::<Values<(String, u8)>>::new(&memory);
    let mut map: HashMap<(String, u8), Id> = HashMap::new();
    let mut seed = 1u64;
    for _ in 0..20_000 {
        seed = mix(seed, 5);
        let key = ((seed % 3000).to_string(), (seed >> 62) as u8);
        let next = map.len() as Id;
        let known = map.get(&key).copied();
        assert_eq!(table.find(&key), known);
        assert_eq!(table.intern(key.clone()).unwrap(), (known.unwrap_or(next), known.is_none()));
        map.insert(key, known.unwrap_or(next));
    }
    assert!(map.iter().all(|(key, &id)| table.key(id) == key));
    assert_eq!((table.len(), table.bytes()), (map.len(), memory.used()));
}

#[test]
fn a_limit_leaves_values_whole() {
    for limit in [0, 63, 300, 5000, 300_000] {
        let memory = Memory::new(limit);
        let mut table = Interner::<Values<u64>>::new(&memory);
        let count = (0..).find(|&value| table.intern(value * 7).is_err()).unwrap();
        assert!(memory.peak() <= limit);
        assert_eq!(table.len() as u64, count);
        assert!((0..count).all(|value| table.find(&(value * 7)) == Some(value as Id)));
        assert_eq!(table.find(&(count * 7)), None);
    }
}
