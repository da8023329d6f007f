//! Windows and traces.
