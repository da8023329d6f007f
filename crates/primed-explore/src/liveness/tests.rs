//! Formulas on plain graphs, each answer found a second way: by trying every lasso.
