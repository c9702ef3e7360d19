//! Section of the report with the information of every experiment about the unknowns, and the further costs.

use costate_view::Page;
use costate_view::plot::{Axis, Bars, Figure, Panel, color};

use super::MAX_PICTURED_UNKNOWNS;
use super::{WIDE, add};
use crate::definition::digits::significant;
use crate::result::summary::FitSummary;
use crate::result::written::FitFileError;

pub fn write(page: &mut Page, summary: &FitSummary) -> Result<(), FitFileError> {
    let named: Vec<usize> = (0..summary.parameters.len())
        .filter(|&k| summary.parameters[k].part_of.is_none())
        .take(MAX_PICTURED_UNKNOWNS)
        .collect();
    if !summary.shares.is_empty() && !named.is_empty() {
        page.heading("Information by experiment");
        let names: Vec<&str> = named.iter().map(|&k| summary.parameters[k].name.as_str()).collect();
        let axis = Axis::new("share of the information").unit("%").range((0.0, 100.0));
        let mut panel = Panel::new("", Axis::new("").named(names), axis);
        let mut below: Option<Bars> = None;
        for (number, share) in summary.shares.iter().enumerate() {
            let part = |k: usize| share.parts.get(k).copied().filter(|part| part.is_finite()).unwrap_or(0.0);
            let parts = named.iter().enumerate().map(|(i, &k)| (i as f64, 100.0 * part(k)));
            let bars = Bars::new(share.owner(), color::series(number), parts);
            let bars = match &below {
                Some(below) => bars.on(below),
                None => bars,
            };
            panel = panel.bars(bars.clone());
            below = Some(bars);
        }
        let caption = "Share of the variance of each unknown that is due to the errors of each experiment, and to the \
             priors: the larger the share, the more of the information comes from there.";
        add(page, &Figure::new(1, (WIDE.0, 380)).panel(panel), caption)?;
    }
    if !summary.costs.is_empty() {
        page.heading("Further costs");
        let rows: Vec<_> = summary
            .costs
            .iter()
            .map(|cost| {
                vec![
                    cost.experiment.clone().unwrap_or_default(),
                    significant(cost.weight, 4),
                    significant(cost.cost, 5),
                    cost.residuals.to_string(),
                    significant(cost.standard_deviation, 3),
                ]
            })
            .collect();
        page.table(&["experiment", "weight", "cost", "residuals", "std. deviation"], &rows);
    }
    Ok(())
}
