//! Games that go forward through one list: a move passes some items, and gains by their prefix sums.
