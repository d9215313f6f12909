//! Exact solutions of finite games of perfect information.
