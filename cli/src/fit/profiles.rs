//! `costate profiles`: how far each unknown may move while all others are fitted again.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::Args;
use costate::campaign::Campaign;
use costate::campaign::files::FilePath;
use costate::command::Page;
use costate::ensemble::Ensemble;
use costate::identify::residuals::student_quantile;
use costate::identify::{Fit, Identifiability, Profile, ProfileSettings, Profiles};
use costate::plot::{Axis, Figure, Line, Panel, color};
use costate_compiler::FileError;
use serde_json::json;

use super::error::FitError;
use super::outputs::Outputs;
use super::progress::Progress;
use super::resumable;
use super::source::{Source, state_file};
use crate::answer::Answer;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::loaded::load;
use crate::options::extension;
use crate::output::write;
use crate::state::{State, remove};

/// The fit of whose unknowns there are profiles, and the files that are written.
#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    source: Source,
    /// The unknowns, as the table of the fit names them; without it, all.
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    of: Vec<String>,
    /// The probability that an interval covers the truth.
    #[arg(long, value_name = "PROBABILITY")]
    level: Option<f64>,
    /// Most points on a side.
    #[arg(long, value_name = "NUMBER")]
    points: Option<usize>,
    /// Writes a page (`.html`), or the diagrams alone (`.svg`).
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The file in which Ctrl-C leaves the state of the fit, and a folder beside it with the profiles that are done;
    /// the same call continues. They stay when all is done.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
}

/// Fits, and follows the profiles.
pub fn run(options: &Options) -> Result<Answer, CommandError> {
    let mut campaign = options.source.campaign()?;
    campaign.output.state = options.state.clone().map(FilePath).or(campaign.output.state.take());
    let of_campaign = campaign.output.profiles.take().filter(|_| options.output.is_none());
    // profiles write no results of the fit
    (campaign.output.folder, campaign.output.write_defaults) = (None, false);
    let output = options.output.clone().or(of_campaign.clone().map(|path| path.0));
    if let Some(path) = output.as_ref().filter(|path| format(path).is_none()) {
        return Err(FitError::NoPicture(path.clone()).into());
    }
    let state = State {
        path: state_file(&campaign, &options.source.bench.selection.file),
        stays: campaign.output.state.is_some(),
    };
    let loaded = load(&(&campaign).into())?;
    let settings = settings(options, &campaign);
    let outputs = Outputs { given: options.output.as_deref(), of_campaign: of_campaign.as_deref() };
    let found = resumable::fit(&campaign, &loaded, &state, &outputs).and_then(|fit| {
        let profiles = follow(&fit, &settings, &state)?;
        Ok((fit, profiles))
    });
    let (fit, profiles) = found.inspect_err(|error| {
        // what failed fails again, wherever it continues
        if let Some(path) = state.obsolete().filter(|_| error.exit() != Exit::Interrupted) {
            [path, folder_of(&state)].iter().for_each(|path| remove(path));
        }
    })?;
    let mut text = format!("{profiles}");
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let doubts: Vec<String> = profiles.profiles.iter().filter_map(doubt).collect();
    let mut failed = Vec::new();
    if let Some(path) = &output {
        match draw(path, &fit, &profiles, &settings) {
            Ok(()) => text += &format!("diagrams: `{}`\n", path.display()),
            Err(error) => failed.push(error),
        }
    }
    let json = json!({ "profiles": profiles, "level": settings.level, "file": output, "doubts": doubts });
    let answer = Answer::new(text, json).without(failed).doubted(&doubts);
    Ok(answer.making_obsolete(state.obsolete()).making_obsolete(state.obsolete().map(|_| folder_of(&state))))
}

/// Returns the settings of the options, over those of the campaign.
fn settings(options: &Options, campaign: &Campaign) -> ProfileSettings {
    let given = &campaign.profiles;
    let mut settings = ProfileSettings::default();
    if let Some(level) = options.level.or(given.level.map(f64::from)) {
        settings = settings.with_level(level);
    }
    if let Some(points) = options.points.or(given.points) {
        settings = settings.with_points(points);
    }
    let of = if options.of.is_empty() { &given.of.0 } else { &options.of };
    settings.with_unknowns(of.iter().map(|name| name.trim()))
}

/// Follows the profiles; those that are done when Ctrl-C stops the others are kept in a folder next to the state.
fn follow(fit: &Fit, settings: &ProfileSettings, state: &State) -> Result<Profiles, CommandError> {
    let folder = folder_of(state);
    let progress = Mutex::new(Progress::new());
    let show = |done: &costate::ensemble::Progress| {
        progress.lock().unwrap_or_else(PoisonError::into_inner).expects("profiles", done.expected_seconds);
    };
    Ok(fit.profiles_in(&Ensemble::new().folder(&folder).estimate(show), settings)?)
}

/// Returns the folder of the profiles, next to the state of the fit.
fn folder_of(state: &State) -> PathBuf {
    let mut folder = state.path.as_os_str().to_owned();
    folder.push(".profiles");
    PathBuf::from(folder)
}

/// Returns what is doubtful about an unknown.
fn doubt(profile: &Profile) -> Option<String> {
    let name = &profile.name;
    if profile.lower_cost_found {
        return Some(format!("`{name}` has a lower cost along its profile: fit again from there."));
    }
    match profile.identifiability {
        Identifiability::Identifiable => None,
        other => Some(format!("`{name}` is {other}.")),
    }
}

/// Returns the format of a file by its ending, true for a page.
fn format(path: &Path) -> Option<bool> {
    match extension(path).as_str() {
        "html" => Some(true),
        "svg" => Some(false),
        _ => None,
    }
}

/// Writes the diagrams, or a page with them and the table.
fn draw(path: &Path, fit: &Fit, profiles: &Profiles, settings: &ProfileSettings) -> Result<(), CommandError> {
    let distance = student_quantile(0.5 + 0.5 * settings.level, fit.summary().degrees_of_freedom);
    let panels = profiles.profiles.iter().map(|profile| panel(profile, distance));
    let figure = panels.fold(Figure::new(2, (540, 300)), Figure::panel);
    if let Some(folder) = path.parent() {
        // that of an option exists, that of a campaign is made
        std::fs::create_dir_all(folder).map_err(|source| FileError::Unwritable { path: path.to_owned(), source })?;
    }
    if format(path) != Some(true) {
        return write(path, &figure.svg()?);
    }
    let percent = 100.0 * settings.level;
    let mut page = Page::new(format!("{}: profiles of the unknowns", fit.summary().model));
    page.paragraph(&format!(
        "How much the cost rises with one unknown at a given value and all others fitted again, in standard \
             deviations. The values below the level are the interval of {percent} %."
    ));
    profiles.profiles.iter().filter_map(doubt).for_each(|doubt| page.note(&doubt));
    if !figure.is_empty() {
        page.figure(
            &figure.svg()?,
            "Each profile is the root of the rise of the cost, so that a parabola of the cost \
             is a V of two straight lines. Orange, often hidden by the profile: the V that the standard deviation \
             predicts. Where both are alike, the intervals of the table are those of the standard deviation. Grey: \
             the level.",
        );
    }
    page.heading("Intervals");
    page.as_it_is(&profiles.to_string());
    page.heading("Fit");
    page.as_it_is(&fit.to_string());
    write(path, &page.html())
}

/// Draws one profile, the line that the standard deviation predicts, and the level.
fn panel(profile: &Profile, distance: f64) -> Panel {
    let points = profile.points.iter().map(|point| (point.value, point.rise.max(0.0).sqrt()));
    let [lower, upper] = profile.linear_interval;
    let first = profile.points.first().map_or(lower, |point| point.value);
    let last = profile.points.last().map_or(upper, |point| point.value);
    let linear = [(lower, distance), (profile.found, 0.0), (upper, distance)];
    let title = format!("{}: {}", profile.name, profile.identifiability);
    Panel::new(title, Axis::new(profile.name.clone()).unit(profile.unit), Axis::new("standard deviations"))
        .line(Line::new("level", color::GREY, [(first, distance), (last, distance)]))
        .line(Line::new("by the standard deviation", color::ORANGE, linear))
        .line(Line::new("profile", color::BLUE, points).marked())
}
