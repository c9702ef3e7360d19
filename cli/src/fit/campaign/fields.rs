//! The fields of a campaign file, section by section: names, meanings, and values that they may have.
//!
//! The reader refuses other names, and the template writes every field with its meaning and its example. In examples,
//! `{parameter}`, `{input}`, `{output}`, `{table}` and `{record}` stand for names of the model and for the record.

/// A field of a section.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Field {
    /// The name.
    pub name: &'static str,
    /// The meaning, with the default.
    pub meaning: &'static str,
    /// A value in TOML; empty for a section of its own.
    pub example: &'static str,
}

/// Creates a field.
const fn field(name: &'static str, meaning: &'static str, example: &'static str) -> Field {
    Field { name, meaning, example }
}

/// The sections of the file.
pub const ROOT: &[Field] = &[
    field("model", "The model.", ""),
    field(
        "parameters",
        "Values of parameters in place of their defaults: known ones, and start values of unknown ones.",
        "",
    ),
    field("run", "Steps and end of the simulations.", ""),
    field("reading", "How the files of records are read, where they do not tell or tell in two ways.", ""),
    field("inputs", "Signals of inputs, the same in all experiments.", ""),
    field("measured", "Measured outputs, the same in all experiments.", ""),
    field("experiment", "One run of the test bench; the section is repeated for every run.", ""),
    field("unknowns", "The parameters to be found.", ""),
    field("tables", "Curves and surfaces of the model.", ""),
    field("residuals", "How residuals are weighed.", ""),
    field("optimizer", "The search for the minimum.", ""),
    field("multistart", "A search from many starts.", ""),
    field("profiles", "Settings of `costate profiles`.", ""),
    field("resampling", "Fits to data that are drawn again, after the fit.", ""),
    field("output", "Files that are written.", ""),
];

/// The field that every campaign has.
pub const FILE: Field = field("file", "The file of the model.", "\"model.rs\"");

/// The model.
pub const MODEL: &[Field] = &[
    FILE,
    field("name", "The model or variant in the file. Default: the only one.", "\"{model}\""),
    field("arguments", "Values of structural arguments in place of their defaults.", "{}"),
    field(
        "allow_files",
        "Further folders whose tables and meshes the model may read; all files of a campaign lie in its own folder, \
             or in one of `--allow-files`.",
        "[]",
    ),
];

/// Steps and end of a simulation.
pub const RUN: &[Field] = &[
    field("step", "The step in s. Default: the sampling interval of the first measured record.", "\"1[ms]\""),
    field(
        "end",
        "The end in s, a whole number of steps; samples behind it do not count. Default: the end of the longest \
             measured record.",
        "1.0",
    ),
    field(
        "scheme",
        "The integrator: `{ generalized_alpha = rho }` with the damping rho in [0, 1], `{ hht = alpha }` with alpha \
             in [-1/3, 0], or `\"undamped\"`. Default: rho = 0.8.",
        "{ generalized_alpha = 0.8 }",
    ),
    field(
        "tolerance",
        "Adaptive steps: the error that one step may leave in a coordinate, relative to its range. Default: all steps \
             are equal.",
        "1e-6",
    ),
    field(
        "error_limit",
        "The largest error of a run at the start values, relative to the ranges, that is accepted; `false` checks \
             none. Default: 0.05.",
        "0.05",
    ),
    field(
        "judge",
        "The outputs by whose errors a run is judged. Default: all outputs and coordinates.",
        "[\"{output}\"]",
    ),
    field("newton_tolerance", "Tolerance of Newton's iteration, in (0, 1e-3]. Default: 1e-14.", "1e-14"),
    field("newton_iterations", "Largest number of iterations in a step. Default: 20.", "20"),
    field(
        "newton_reuse",
        "Whether the factors of the matrix are kept while the iteration converges well. Default: true.",
        "true",
    ),
    field(
        "newton_estimate",
        "Whether a step may end after one iteration by an estimate of its error. Default: false.",
        "false",
    ),
    field("memory_limit", "Largest memory of a run in bytes. Default: no limit.", "4_000_000_000"),
    field(
        "checkpoints",
        "States that are stored for derivatives: `\"off\"` all, `\"automatic\"` as many as half of the free memory \
             holds, `{ within = bytes }`. Default: off.",
        "\"off\"",
    ),
];

/// Fields of reading records.
pub const READING: &[Field] = &[
    field(
        "channels",
        "Names or patterns of the channels that are taken; `*` stands for any text, `?` for one character. Default: \
             all.",
        "[\"*\"]",
    ),
    field("group", "Names or patterns of the groups whose channels are taken. Default: all.", "[\"*\"]"),
    field("time", "The channel or column of times, or the number of the column from 1.", "\"time\""),
    field("time_unit", "The unit of times that are numbers. Default: that of the file, or s.", "\"ms\""),
    field("rate", "The sampling rate in Hz, in place of the times of the file.", "1000.0"),
    field("every", "The sampling interval in s, in place of the times of the file.", "\"1[ms]\""),
    field(
        "rate_of",
        "The variable whose only value is the sampling rate in Hz, or the interval if it is called so, such as `dt`.",
        "\"fs\"",
    ),
    field("part", "First and last time in s of the samples that are taken.", "[0.0, 1.0]"),
    field("decimal", "The decimal sign of numbers in columns, `\"point\"` or `\"comma\"`.", "\"comma\""),
    field("thousands", "True permits whole numbers with grouped thousands.", "true"),
    field(
        "separator",
        "The character between cells: `\"comma\"`, `\"semicolon\"`, `\"tab\"`, `\"pipe\"` or `\"blanks\"`.",
        "\"semicolon\"",
    ),
    field(
        "encoding",
        "The encoding of characters: `\"utf8\"`, `\"utf16le\"`, `\"utf16be\"` or `\"windows1252\"`.",
        "\"utf8\"",
    ),
    field("skip_lines", "Number of lines at the beginning of a file that are left out.", "3"),
    field("no_heading", "True takes the first line of numbers for a sample.", "true"),
    field("names", "Names of all columns, the one of times included.", "[\"time\", \"force\"]"),
    field("missing", "Texts that stand for missing samples.", "[\"n.a.\"]"),
    field("ignore", "Columns that are left out, by name or number from 1.", "[\"state\"]"),
    field("dates", "The order of day and month in dates, `\"day_first\"` or `\"month_first\"`.", "\"day_first\""),
    field("counting_from", "The number or date from which times count, as in the file.", "\"1700000000\""),
];

/// The record of an experiment.
pub const RECORD: Field = field(
    "record",
    "The file of the measured signals, a table with a column of times in s; an experiment of modes, responses or \
         stiffness needs none.",
    "\"bench.csv\"",
);

/// One run of the test bench.
pub const EXPERIMENT: &[Field] = &[
    RECORD,
    field("name", "The name, which no other experiment has. Default: that of the record's file.", "\"sweep up\""),
    field(
        "group",
        "The group of experiments that share the unknowns of their group. Default: a group of its own.",
        "\"low preload\"",
    ),
    field(
        "validation",
        "True keeps the experiment out of the fit: it tests what the others have found. Unknowns that it has for \
             itself are found from its data, with all others held. Default: false.",
        "false",
    ),
    field(
        "parameters",
        "Values of parameters in this experiment, known ones and start values of unknowns of its own.",
        "{}",
    ),
    field(
        "reading",
        "How the files of this experiment are read, with the fields of `[reading]`, in place of all of that section.",
        "{ decimal = \"point\" }",
    ),
    field("run", "Steps and end of this experiment, with the fields of `[run]`.", "{}"),
    field("inputs", "Signals of inputs in this experiment, with the fields of `[inputs]`.", "{}"),
    field("measured", "Measured outputs of this experiment, with the fields of `[measured]`.", "{}"),
    field("spectra", "Lines of spectra that are compared, beside samples in time or in place of them.", ""),
    field(
        "modes",
        "Measured natural frequencies and damping ratios; an experiment of these, responses or stiffness alone needs \
             no record.",
        "",
    ),
    field("responses", "Measured frequency responses, about the equilibrium at the start.", ""),
    field(
        "stiffness",
        "Measured dynamic stiffness over frequency at several amplitudes, which harmonic balance predicts.",
        "",
    ),
];

/// The name of a prediction.
const NAME: Field = field("name", "The name in results. Default: that of the section.", "\"rig\"");

/// The coordinates that keep their places.
const HOLD: Field = field(
    "hold",
    "Coordinates that keep their initial values in the equilibrium, whatever force this needs. Default: none.",
    "[]",
);

/// Natural frequencies and damping ratios.
pub const MODES: &[Field] = &[
    NAME,
    HOLD,
    field(
        "modes",
        "Numbers of the modes, from 1 as `costate modes` lists them at the start values; at other values they are \
             those with the same shapes. Default: the first ones.",
        "[1, 2]",
    ),
    FREQUENCIES,
    field(
        "frequency_deviations",
        "Standard deviations of the frequencies in Hz, each or one for all. Default: estimated from the residuals, \
             for which there have to be several more frequencies than unknowns; else the deviations of the unknowns \
             are not known.",
        "[0.01, 0.02]",
    ),
    field("ratios", "Measured damping ratios. Default: not measured.", "[0.02, 0.03]"),
    field(
        "ratio_deviations",
        "Standard deviations of the damping ratios, each or one for all. Default: estimated from the residuals, as \
             for the frequencies.",
        "[0.001, 0.002]",
    ),
    field(
        "file",
        "A table with the columns `frequency`, and where they were measured `mode`, `frequency deviation`, `ratio`, \
             `ratio deviation`, in place of the lists.",
        "\"modes.csv\"",
    ),
];

/// Measured natural frequencies.
pub const FREQUENCIES: Field = field(
    "frequencies",
    "Measured frequencies |eigenvalue|/(2 pi) in Hz: what is counted in a decay, over sqrt(1 - ratio^2).",
    "[3.18, 9.71]",
);

/// The file of a response.
pub const RESPONSE_FILE: Field = field(
    "file",
    "The file of the measured response: a table as `costate spectra` writes it, or UFF58.",
    "\"response.csv\"",
);

/// The input of a response.
pub const RESPONSE_INPUT: Field = field("input", "The input that moves the model.", "\"{input}\"");

/// The output of a response.
pub const RESPONSE_OUTPUT: Field = field("output", "The output that responds.", "\"{output}\"");

/// The form of complex numbers.
const FORM: Field = field(
    "form",
    "What is compared: `\"real_and_imaginary\"`, `\"magnitude_and_phase\"`, `\"decibels_and_phase\"`, `\"magnitude\"` \
         or `\"decibels\"`. Default: real_and_imaginary, whose errors are normal.",
    "\"real_and_imaginary\"",
);

/// The band of a response.
const BAND: Field =
    field("band", "The lowest and the highest frequency in Hz that count. Default: all.", "[1.0, 100.0]");

/// The averages behind a coherence.
const AVERAGES: Field = field(
    "averages",
    "Number of independent averages behind the coherence of a file without deviations. Default: a factor of all \
         deviations follows from the residuals.",
    "30",
);

/// The unit of a file without units.
const RESPONSE_UNIT: Field =
    field("unit", "The unit of a file that has none. Default: that of the prediction.", "\"{output_unit}\"");

/// Dependent errors of lines.
const DEPENDENT: Field = field(
    "dependent",
    "True where errors of neighbouring lines depend on each other, as behind a window: residuals are not tested for \
         whiteness. Default: false.",
    "false",
);

/// A frequency response.
pub const RESPONSE: &[Field] = &[
    NAME,
    HOLD,
    RESPONSE_FILE,
    field("function", "The number of the response in the file, from 1. Default: the only one.", "1"),
    RESPONSE_INPUT,
    RESPONSE_OUTPUT,
    field("over", "A second output below the first one, as in a transmissibility. Default: the input.", "\"{output}\""),
    field(
        "stiffness",
        "True for the dynamic stiffness, the input, a force, over the output, its displacement. Default: false.",
        "false",
    ),
    FORM,
    BAND,
    AVERAGES,
    RESPONSE_UNIT,
    DEPENDENT,
];

/// The files of a stiffness.
pub const STIFFNESS_FILES: Field = field(
    "files",
    "The files of the measured stiffness, one for each amplitude, all at the same frequencies.",
    "[\"stiffness.csv\"]",
);

/// The amplitudes of a stiffness.
pub const AMPLITUDES: Field = field("amplitudes", "Amplitudes of the output, which moves as a cosine.", "[1e-3]");

/// Dynamic stiffness over frequency and amplitude.
pub const STIFFNESS: &[Field] = &[
    NAME,
    STIFFNESS_FILES,
    AMPLITUDES,
    RESPONSE_INPUT,
    RESPONSE_OUTPUT,
    field("mean", "Mean of the output. Default: free, and the input keeps its mean.", "0.0"),
    field("harmonics", "Number of harmonics of the balance. Default: that of the library.", "8"),
    FORM,
    BAND,
    AVERAGES,
    RESPONSE_UNIT,
    DEPENDENT,
];

/// Angles of encoders.
const UNWRAP: Field = field(
    "unwrap",
    "True continues an angle that begins anew after each turn, as those of encoders. Default: false.",
    "false",
);

/// The signal of an input.
pub const INPUT: &[Field] = &[
    field("channel", "The channel of the record. Default: the one with the name of the input.", "\"{input}\""),
    field("record", "The file of the channel. Default: the record of the experiment.", "\"{record}\""),
    field(
        "unit",
        "The unit of a channel that has none in its heading. Default: that of the input.",
        "\"{input_unit}\"",
    ),
    UNWRAP,
    field(
        "interpolation",
        "What the channel is between its samples, also with a delay: `\"straight\"`, `\"cubic\"`, a smooth spline, or \
             `\"held\"`, the last sample. Default: straight.",
        "\"cubic\"",
    ),
    field(
        "delay",
        "The delay of the signal in s, known or unknown; the record has to be longer than the run by it. Default: 0.",
        "0.0",
    ),
    field("unknown", "What is to be found of the signal, in addition to the given one.", ""),
];

/// A part of an input that is to be found.
pub const UNKNOWN_INPUT: &[Field] = &[
    INTERVAL,
    TYPICAL_CHANGE,
    field("course", "Between the values: `\"smooth\"` cubics or `\"straight\"` lines. Default: smooth.", "\"smooth\""),
    field("bounds", "Bounds of the values.", "[-1e3, 1e3]"),
    field("window", "First and last time at which the input is unknown, in s. Default: the whole run.", "[0.0, 0.5]"),
    field("deviation", "Prior: the standard deviation of the values about zero.", "100.0"),
    field(
        "smoothness",
        "Prior: the standard deviation of second derivatives, in the unit of the input per s^2.",
        "1e6",
    ),
];

/// The interval of an unknown input.
pub const INTERVAL: Field = field("interval", "Distance in s of the times whose values are unknown.", "0.01");

/// The typical change of an unknown input or table.
pub const TYPICAL_CHANGE: Field = field("typical", "A typical change of the values, in their unit.", "100.0");

/// A measured output.
pub const MEASURED: &[Field] = &[
    field(
        "channel",
        "The channel of the record. Default: the one with the name of the output, or the only one.",
        "\"{output}\"",
    ),
    field("record", "The file of the channel. Default: the record of the experiment.", "\"{record}\""),
    field(
        "unit",
        "The unit of a channel that has none in its heading. Default: that of the output.",
        "\"{output_unit}\"",
    ),
    UNWRAP,
    field(
        "deviation",
        "Standard deviation of the errors of the measured values. Default: estimated from the residuals.",
        "0.1",
    ),
    field("weight", "Weight in the cost, in place of a weight by the deviation. Default: see `[residuals]`.", "1.0"),
    field("gain", "Channel over output, known or unknown. Default: 1.", "{ start = 1.0, bounds = [0.9, 1.1] }"),
    field(
        "offset",
        "Channel minus output, known or unknown, in the unit of the output. Default: 0.",
        "{ start = 0.0, typical = 0.1 }",
    ),
    field(
        "delay",
        "Delay in s of the channel behind the output, known or unknown; an unknown one needs bounds. Default: 0.",
        "{ start = 0.0, bounds = [-1e-3, 1e-3], common = \"delay of the sensor\" }",
    ),
    field("windows", "Spans of time in s whose samples count. Default: all.", "[[0.0, 10.0]]"),
    field("without", "Spans of time in s whose samples do not count.", "[[0.2, 0.21]]"),
    field("weights", "A channel with the weight of every sample; samples of weight 0 do not count.", "\"weight\""),
    field(
        "noise",
        "Errors that are correlated from sample to sample: `{ order = 2 }`, `{ criterion = \"bic\", limit = 8 }`, or \
             `{ coefficients = [0.5], deviation = 0.1 }`. Default: independent errors.",
        "{ order = 2 }",
    ),
];

/// A number of a measurement that is to be found.
pub const CORRECTION: &[Field] = &[
    field("start", "The start value.", "0.0"),
    field("bounds", "Bounds.", "[-1e-3, 1e-3]"),
    field("typical", "A typical change, as a scale of the search.", "1e-4"),
    field("common", "A name by which several measurements share the unknown.", "\"delay of the sensor\""),
];

/// The start value of a correction.
pub const CORRECTION_START: &Field = &CORRECTION[0];

/// Correlated errors.
pub const NOISE: &[Field] = &[
    field("order", "Number of coefficients that are estimated.", "2"),
    field("criterion", "The criterion that chooses the order, `\"aic\"` or `\"bic\"`.", "\"bic\""),
    field("limit", "The largest order that may be chosen.", "8"),
    field("coefficients", "Known coefficients.", "[0.5]"),
    field("deviation", "Standard deviation of the innovations of known noise.", "0.1"),
];

/// The output of a spectrum.
pub const SPECTRUM_OUTPUT: Field = field("output", "The output.", "\"{output}\"");

/// Lines of a spectrum.
pub const SPECTRUM: &[Field] = &[
    SPECTRUM_OUTPUT,
    field("channel", "The channel of the record. Default: the one with the name of the output.", "\"{output}\""),
    field("record", "The file of the channel. Default: the record of the experiment.", "\"{record}\""),
    field(
        "unit",
        "The unit of a channel that has none in its heading. Default: that of the output.",
        "\"{output_unit}\"",
    ),
    field("frequencies", "Frequencies of single lines in Hz.", "[10.0, 20.0]"),
    field(
        "band",
        "The lowest and the highest frequency in Hz, of all lines of the interval between them.",
        "[5.0, 50.0]",
    ),
    field("interval", "First and last time in s. Default: the whole run.", "[0.0, 1.0]"),
    field(
        "window",
        "`\"rectangular\"`, `\"hann\"`, `\"flat_top\"` or `\"blackman_harris\"`. Default: hann.",
        "\"hann\"",
    ),
    field(
        "form",
        "What is compared: `\"squared_amplitude\"`, `\"amplitude\"`, `\"coefficients\"` with their phase, or \
             `\"decibels\"`. Default: decibels.",
        "\"decibels\"",
    ),
    field("weight", "Weight of a line. Default: 1.", "1.0"),
];

/// A parameter to be found.
pub const UNKNOWN: &[Field] = &[
    field(
        "of",
        "Who has a value of its own: `\"all\"` one value for all, `\"group\"`, `\"experiment\"`. Default: all.",
        "\"all\"",
    ),
    field("start", "The start value. Default: that of `[parameters]` or of the model.", "{value}"),
    field("bounds", "Bounds that the search never leaves; `inf` is none.", "{bounds}"),
    field(
        "scaling",
        "The scale of the search: `\"logarithmic\"`, for positive values, or `{ linear = typical change }`. Default: \
             by sign and bounds.",
        "{scaling}",
    ),
    field(
        "prior",
        "What was known before: `{ mean = 1.0, deviation = 0.1 }`, or `{ median = 1.0, log_deviation = 0.1 }` for a \
             positive value.",
        "{prior}",
    ),
];

/// Prior knowledge of a parameter.
pub const PRIOR: &[Field] = &[
    field("mean", "Mean of a normal distribution.", "1.0"),
    field("deviation", "Standard deviation of a normal distribution.", "0.1"),
    field("median", "Median of a log-normal distribution.", "1.0"),
    field("log_deviation", "Standard deviation of the logarithm; 0.1 is about 10 %.", "0.1"),
];

/// A table of the model.
pub const TABLE: &[Field] = &[
    field("file", "The file of the data, in place of those of the model.", "\"{table}.csv\""),
    field(
        "interpolation",
        "What the table does between its knots: `\"spline\"`, `\"monotone\"` or `\"straight\"`; a list for the \
             arguments of a surface. Default: as in the model.",
        "\"monotone\"",
    ),
    field("unknown", "The values at the knots are to be found.", ""),
];

/// A table whose values are to be found.
pub const UNKNOWN_TABLE: &[Field] = &[
    TYPICAL_CHANGE,
    field("deviation", "Prior: the standard deviation of the values about their start.", "100.0"),
    field(
        "bend",
        "Prior: departure from a straight line over the range; `\"estimated\"` finds it from the data.",
        "\"estimated\"",
    ),
    field(
        "shapes",
        "What is known of the shape of a curve: `\"through_origin\"`, `\"odd\"`, `\"increasing\"`, `\"decreasing\"`, \
             `\"convex\"`, `\"concave\"`, `\"closed\"`, `{ between = [0, 1e3] }`, `{ zero_outside = [-1, 1] }`, `{ \
             through = [0, 1] }`.",
        "[\"increasing\"]",
    ),
    field("kinks", "Places where the slope of a curve may change.", "[]"),
    field("jumps", "Places where the value of a curve may change.", "[]"),
];

/// Weights and losses of residuals.
pub const RESIDUALS: &[Field] = &[
    field(
        "weighting",
        "`\"likelihood\"` by deviations, given ones or those of the residuals; `\"given\"` by weights; \
             `\"automatic\"` whichever fits. Default: automatic.",
        "\"automatic\"",
    ),
    field(
        "loss",
        "`\"squares\"`, or with outliers `\"huber\"`, `\"cauchy\"` or `{ student = degrees of freedom }`; `{ huber = \
             1.345 }` sets the threshold. Default: squares.",
        "\"squares\"",
    ),
    field(
        "quadrature",
        "The interval of a sample under given weights: `\"rectangle\"`, `\"trapezoid\"` or `\"sum\"`. Default: \
             rectangle.",
        "\"rectangle\"",
    ),
];

/// The search for the minimum.
pub const OPTIMIZER: &[Field] = &[
    field(
        "method",
        "`\"levenberg_marquardt\"`, `\"gauss_newton\"`, `\"bfgs\"`, `{ limited_memory_bfgs = steps }`, \
             `\"steepest_descent\"`, or `\"automatic\"`. Default: automatic.",
        "\"automatic\"",
    ),
    field(
        "step_size",
        "The rule along a search direction: `\"strong_wolfe\"`, `{ golden_section = tolerance }`, `{ \
             quadratic_interpolation = tolerance }`, `{ cubic_interpolation = tolerance }`. Default: strong_wolfe.",
        "\"strong_wolfe\"",
    ),
    field("maximum_iterations", "Largest number of iterations. Default: 200.", "200"),
    field("gradient_tolerance", "Ends at this part of the gradient at the start. Default: 1e-13.", "1e-13"),
    field("cost_tolerance", "A change of the cost by this part is small. Default: 1e-12.", "1e-12"),
    field("small_iterations", "Ends after this many small changes in a row. Default: 3.", "3"),
    field("cost_target", "Ends at this cost. Default: none.", "0.0"),
    field("step_tolerance", "Ends when no scaled unknown changes by more. Default: 1e-13.", "1e-13"),
    field("first_step", "Largest change of a scaled unknown in the first iteration. Default: 0.1.", "0.1"),
    field("largest_step", "Largest change of a scaled unknown in any other iteration. Default: 1.", "1.0"),
    field("leave_untold", "Whether unknowns stay where the data do not determine them. Default: true.", "true"),
    field("bend_at_bounds", "Whether steps continue along bounds. Default: false.", "false"),
    field("sufficient_decrease", "c_1 of the Wolfe conditions. Default: 1e-4.", "1e-4"),
    field("curvature", "c_2 of the Wolfe conditions. Default: 0.9.", "0.9"),
    field("line_search_evaluations", "Most evaluations of the cost in one line search. Default: 20.", "20"),
    field(
        "gradient",
        "`\"discrete_adjoint\"` or `\"direct_differentiation\"`. Default: discrete_adjoint.",
        "\"discrete_adjoint\"",
    ),
    field(
        "growing",
        "True fits growing parts of the records before the whole ones, against wrong minima of oscillations; false \
             never does. Default: where a fit ends out of phase with the measurement.",
        "true",
    ),
    field(
        "ignore_check",
        "True fits even where the check before the fit finds unknowns without influence. Default: false.",
        "false",
    ),
];

/// The number of starts.
pub const STARTS: Field = field("starts", "Number of starts within the bounds, which every unknown needs.", "20");

/// A search from many starts.
pub const MULTISTART: &[Field] = &[STARTS, field("seed", "The seed from which the starts are drawn. Default: 1.", "1")];

/// Settings of profiles.
pub const PROFILES: &[Field] = &[
    field("of", "The unknowns, as the table of the fit names them. Default: all.", "[\"{parameter}\"]"),
    field("level", "The probability that an interval covers the truth. Default: 0.95.", "0.95"),
    field("points", "Most points on a side. Default: 20.", "20"),
];

/// Fits to data that are drawn again.
pub const RESAMPLING: &[Field] = &[
    field(
        "bootstrap",
        "Number of fits to data that are drawn from the measured ones: uncertainty without an assumption on the \
             noise. Default: none.",
        "200",
    ),
    field(
        "of",
        "What is drawn: blocks of `\"residuals\"`, or whole `\"experiments\"`. Default: residuals.",
        "\"residuals\"",
    ),
    field("seed", "The seed of the draws. Default: 1.", "1"),
    field("leave_one_out", "True fits all experiments but one, for each of them. Default: false.", "false"),
];

/// Files that are written.
pub const OUTPUT: &[Field] = &[
    field("report", "The page with all results.", "\"fit.html\""),
    field("folder", "A folder for all results as CSV and JSON.", "\"results\""),
    field("profiles", "The page, or with the ending `svg` the picture, of `costate profiles`.", "\"profiles.html\""),
    field(
        "state",
        "The file that an interrupted fit continues from. Default: beside the campaign, and deleted at the end.",
        "\"fit.state\"",
    ),
    field(
        "write_defaults",
        "True writes the found values into the model, as the defaults of its parameters. Default: false.",
        "false",
    ),
];
