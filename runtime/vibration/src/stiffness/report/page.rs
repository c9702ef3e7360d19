//! The report as a page.

use costate_view::Page;
use costate_view::plot::Figure;

use crate::stiffness::error::StiffnessError;
use crate::stiffness::unit::Origin;

use super::StiffnessReport;

impl StiffnessReport {
    /// Returns the text of the page that [`write_html`](Self::write_html) writes.
    ///
    /// # Errors
    /// [`StiffnessError::Plot`].
    pub fn html(&self) -> Result<String, StiffnessError> {
        let mut page = Page::new(format!("{}: dynamic stiffness", self.title));
        for verdict in self.verdicts() {
            page.paragraph(&format!("Linearity: {verdict}."));
        }
        let conditions: Vec<Vec<String>> = self.conditions().into_iter().map(Vec::from).collect();
        page.table(&["condition", ""], &conditions);
        for note in &self.notes {
            page.paragraph(note);
        }
        for doubt in &self.doubts {
            page.note(doubt);
        }

        page.heading("Stiffness and losses");
        let factor_and_angle =
            "Loss factors are left out where the real part is small beside the magnitude, or negative.";
        add(&mut page, &self.figure_of_levels(), factor_and_angle)?;
        add(&mut page, &self.figure_of_stiffness(), "The loss angle is the phase of the stiffness.")?;
        table(&mut page, self.table_of_curves());

        page.heading("One-third octave bands");
        let mean = "Root of the mean of |k|² over the lines of a band; * is cut off by the range of the curve.";
        add(&mut page, &self.figure_of_bands(), mean)?;
        for origin in [Origin::Measured, Origin::Model] {
            table(&mut page, self.table_of_bands(origin));
        }

        page.heading("Linearity");
        for verdict in self.verdicts() {
            page.paragraph(&verdict);
        }
        if !self.linearity.is_empty() {
            let judged = "Levels at two amplitudes; bands are judged.";
            add(&mut page, &self.figure_of_linearity(), judged)?;
        }

        if !self.comparisons.is_empty() {
            page.heading("Measured and computed");
            add(&mut page, &self.figure_of_overlays(), "")?;
            let error = "|k(model) - k(measured)| / |k(measured)|, with complex k.";
            add(&mut page, &self.figure_of_errors(), error)?;
            table(&mut page, self.table_of_errors());
        }

        page.heading("Limits of validity");
        for limit in &self.limits {
            page.paragraph(limit);
        }
        page.heading("Lines");
        for own in &self.curves {
            page.subheading(&own.name());
            table(&mut page, self.table_of_lines(own));
        }
        Ok(page.html())
    }
}

fn add(page: &mut Page, figure: &Figure, caption: &str) -> Result<(), StiffnessError> {
    if !figure.is_empty() {
        page.figure(&figure.svg()?, caption);
    }
    Ok(())
}

fn table(page: &mut Page, (head, rows): (Vec<String>, Vec<Vec<String>>)) {
    if !rows.is_empty() {
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        page.table(&head, &rows);
    }
}
