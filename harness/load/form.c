/* The tables of the case language. A new key is a line here, its meaning a line in
 * build.c. */
#include "harness/load/form.h"

#define KEYS(...) ((const parity_key[]){__VA_ARGS__, {0}})

static const char *const pattern_names[] = {"zeros",  "ones", "arange", "signs",
                                            "dyadic", "edge", NULL};
static const char *const device_names[] = {"cpu", "cuda", "metal", NULL};

static const parity_form text = {
    .name = "text", .wants = "a text", .shapes = PARITY_SCALAR};

static const parity_form program = {.name = "program",
                                    .wants = "a program, as a block of text (|)",
                                    .shapes = PARITY_SCALAR};

static const parity_form expression = {
    .name = "expression", .wants = "an expression", .shapes = PARITY_SCALAR};

static const parity_form name = {.name = "name",
                                 .wants = "a name of a-z, 0-9 and _",
                                 .shapes = PARITY_SCALAR,
                                 .pattern = "^[a-z0-9_]+$",
                                 .accepts = parity_is_name};

static const parity_form names = {.name = "names",
                                  .wants = "a list of row ids",
                                  .shapes = PARITY_SEQUENCE,
                                  .items = &name};

static const parity_form label = {.name = "label",
                                  .wants = "a label of letters, digits and _ . + -",
                                  .shapes = PARITY_SCALAR,
                                  .scalar = PARITY_ANY,
                                  .pattern = "^[A-Za-z0-9_.+-]+$",
                                  .accepts = parity_is_label};

static const parity_form labels = {.name = "labels",
                                   .wants = "a label, or a list of labels",
                                   .shapes = PARITY_SCALAR | PARITY_SEQUENCE,
                                   .scalar = PARITY_ANY,
                                   .pattern = "^[A-Za-z0-9_.+-]+$",
                                   .accepts = parity_is_label,
                                   .items = &label};

static const parity_form when = {
    .name = "when",
    .wants = "names of the matrix with one or more of their labels",
    .shapes = PARITY_MAPPING,
    .values = &labels,
    .names = &name};

static const parity_form sentence = {
    .name = "sentence",
    .wants = "a sentence, or {en: …, zh: …}",
    .shapes = PARITY_SCALAR | PARITY_MAPPING,
    .keys = KEYS({"en", &text, true, "The sentence in English."},
                 {"zh", &text, false, "The same sentence in Chinese."})};

static const parity_key reason_keys[] = {
    {"en", &text, false, "The sentence in English."},
    {"zh", &text, false, "The same sentence in Chinese."},
    {"when", &when, false, "Only for these values of the matrix."},
    {"text", &sentence, false, "The sentence, beside when:."},
    {0}};

static const parity_form reason = {.name = "reason",
                                   .wants = "a sentence, or {when: …, text: sentence}",
                                   .shapes = PARITY_SCALAR | PARITY_MAPPING,
                                   .keys = reason_keys};

static const parity_form reasons = {
    .name = "reasons",
    .wants = "a sentence, or a list of {when: …, text: sentence}",
    .shapes = PARITY_SCALAR | PARITY_MAPPING | PARITY_SEQUENCE,
    .items = &reason,
    .keys = reason_keys};

static const char *const end_words[] = {"hang",  "panic",   "crash",
                                        "error", "refused", NULL};

static const parity_form end_word = {.name = "end_word",
                                     .wants = "hang, panic, crash, error or refused",
                                     .shapes = PARITY_SCALAR,
                                     .words = end_words};

static const parity_key end_keys[] = {
    {"when", &when, false, "Only for these values of the matrix."},
    {"ends", &end_word, false, "How the program ends, whatever it says."},
    {"refused", &text, false,
     "The compiler refuses it: an error code such as E0382, or a text "
     "that the message contains."},
    {"error", &text, false,
     "It ends with an error or exception whose message contains this."},
    {"panic", &text, false, "It panics with a message that contains this."},
    {"crash", &text, false, "The process dies of this, for instance SIGSEGV."},
    {"at", &text, false, "The place reported lies in this text of the program."},
    {0}};

static const parity_form end_one = {.name = "end_one",
                                    .wants = "hang, panic, crash, error, refused, or "
                                             "{refused: E0382, at: …}",
                                    .shapes = PARITY_SCALAR | PARITY_MAPPING,
                                    .words = end_words,
                                    .keys = end_keys};

static const parity_form end = {.name = "end",
                                .wants = "hang, panic, crash, error, refused, "
                                         "{refused: E0382, at: …}, or a list of these",
                                .shapes =
                                    PARITY_SCALAR | PARITY_MAPPING | PARITY_SEQUENCE,
                                .words = end_words,
                                .items = &end_one,
                                .keys = end_keys};

static const parity_form ends = {
    .name = "ends",
    .wants = "{torch: …} or {candle: …}",
    .shapes = PARITY_MAPPING,
    .keys = KEYS({"torch", &end, false, "How the PyTorch program ends."},
                 {"candle", &end, false, "How the candle program ends."})};

static const parity_key departure_keys[] = {
    {"en", &text, false, "Why it departs, in English."},
    {"zh", &text, false, "The same sentence in Chinese."},
    {"when", &when, false, "Only for these values of the matrix."},
    {"text", &sentence, false, "Why it departs, beside when: or ends:."},
    {"ends", &end, false, "How the program ends there."},
    {0}};

static const parity_form departure_one = {
    .name = "departure_one",
    .wants = "a sentence, or {when: …, text: sentence, ends: …}",
    .shapes = PARITY_SCALAR | PARITY_MAPPING,
    .keys = departure_keys};

static const parity_form departure = {
    .name = "departure",
    .wants = "a sentence, {text: sentence, ends: …}, or a list with when:",
    .shapes = PARITY_SCALAR | PARITY_MAPPING | PARITY_SEQUENCE,
    .items = &departure_one,
    .keys = departure_keys};

static const parity_form device = {.name = "device",
                                   .wants = "a device: cpu, cuda or metal",
                                   .shapes = PARITY_SCALAR,
                                   .words = device_names};

static const parity_form version = {
    .name = "version",
    .wants = "versions such as '<0.8.3' or 'torch >=2.0, <2.2'",
    .shapes = PARITY_SCALAR,
    .scalar = PARITY_NUMBER,
    .pattern = "^((torch|candle) )?(<=?|>=?|==?|!=)? ?[0-9]+(\\.[0-9]+)*"
               "(, ?(<=?|>=?|==?|!=)? ?[0-9]+(\\.[0-9]+)*)*$",
    .accepts = parity_is_version};

static const parity_form devices = {.name = "devices",
                                    .wants = "{metal: sentence}",
                                    .shapes = PARITY_MAPPING,
                                    .values = &departure,
                                    .names = &device};

static const parity_form versions = {.name = "versions",
                                     .wants = "{'<0.8.3': sentence}",
                                     .shapes = PARITY_MAPPING,
                                     .values = &departure,
                                     .names = &version};

static const parity_form pattern_name = {.name = "pattern_name",
                                         .wants =
                                             "zeros, ones, arange, signs, dyadic or edge",
                                         .shapes = PARITY_SCALAR,
                                         .words = pattern_names,
                                         .expands = true};

static const parity_form number = {.name = "number",
                                   .wants = "a number or text",
                                   .shapes = PARITY_SCALAR,
                                   .scalar = PARITY_ANY};

static const parity_form shape = {.name = "shape",
                                  .wants = "a list of sizes, such as [2, 3]",
                                  .shapes = PARITY_SEQUENCE,
                                  .items = &number};

static const parity_form data_values = {.name = "data_values",
                                        .wants =
                                            "a number, or a list of numbers or lists",
                                        .shapes = PARITY_SCALAR | PARITY_SEQUENCE,
                                        .scalar = PARITY_ANY,
                                        .items = &data_values};

static const parity_form datum = {
    .name = "datum",
    .wants = "{dtype, shape, pattern}, {dtype, values} or {file, tensor}",
    .shapes = PARITY_MAPPING,
    .keys = KEYS(
        {"dtype", &text, false,
         "Element type: bool u8 i8 u16 i16 u32 i32 u64 i64 bf16 "
         "f16 f32 f64 f8e4m3."},
        {"shape", &shape, false, "Sizes of the dimensions; [] is a scalar."},
        {"pattern", &pattern_name, false, "A named pattern fills it."},
        {"values", &data_values, false, "The elements, flat or nested as the shape."},
        {"file", &text, false, "A safetensors file, named from the case file's folder."},
        {"tensor", &text, false, "The tensor's name in that file."})};

static const parity_form data = {.name = "data",
                                 .wants = "names of tensors",
                                 .shapes = PARITY_MAPPING,
                                 .values = &datum,
                                 .names = &name};

static const parity_form row_template = {
    .name = "template",
    .wants = "a text with {expressions}, or {value: expression}",
    .shapes = PARITY_SCALAR | PARITY_MAPPING,
    .keys =
        KEYS({"value", &expression, true, "An expression observed and not printed."})};

static const parity_form row = {
    .name = "row",
    .wants = "a row: {id: …, torch: …, candle: …}",
    .shapes = PARITY_MAPPING,
    .keys = KEYS(
        {"id", &name, true, "The row's name, unique in the case."},
        {"of", &name, false,
         "The subject whose fate this row is: follows, keeps or "
         "neither."},
        {"torch", &row_template, false, "What the page prints for PyTorch."},
        {"candle", &row_template, false, "What the page prints for candle."},
        {"bound", &name, false,
         "How far values may be apart: elementary, sum, matmul or conv."},
        {"finding", &reasons, false, "Why the two languages differ on this row."},
        {"devices", &devices, false, "Why the row is different on a device."},
        {"versions", &versions, false, "Why the row is different in some versions."})};

static const parity_form rows = {
    .name = "rows", .wants = "a list of rows", .shapes = PARITY_SEQUENCE, .items = &row};

static const parity_form side = {
    .name = "side",
    .wants = "{was: expression, now: expression}",
    .shapes = PARITY_MAPPING,
    .keys = KEYS(
        {"was", &expression, true, "What the subject was: a value() taken early."},
        {"now", &expression, true, "What the subject is when the program has ended."})};

static const parity_form subject = {
    .name = "subject",
    .wants = "{torch: {was, now}, candle: {was, now}, label: …}",
    .shapes = PARITY_MAPPING,
    .keys = KEYS({"torch", &side, false, "The subject in the PyTorch program."},
                 {"candle", &side, false, "The subject in the candle program."},
                 {"label", &sentence, false, "What to call it in charts."},
                 {"write", &sentence, false, "What writes to it between was and now."})};

static const parity_form subjects = {.name = "subjects",
                                     .wants = "names of subjects",
                                     .shapes = PARITY_MAPPING,
                                     .values = &subject,
                                     .names = &name};

static const parity_form intent = {
    .name = "intent",
    .wants = "{effect: …, torch: …, candle: …, evidence: […]}",
    .shapes = PARITY_MAPPING,
    .keys = KEYS({"effect", &sentence, true, "What one wants to achieve."},
                 {"torch", &text, false, "How PyTorch spells it."},
                 {"candle", &text, false, "How candle spells it."},
                 {"note", &sentence, false, "What else to know."},
                 {"evidence", &names, true, "The rows that prove it."})};

static const parity_form intents = {.name = "intents",
                                    .wants = "a list of intents",
                                    .shapes = PARITY_SEQUENCE,
                                    .items = &intent};

static const parity_form variant = {
    .name = "variant",
    .wants = "a text, or {torch: …, candle: …}",
    .shapes = PARITY_SCALAR | PARITY_MAPPING,
    .scalar = PARITY_ANY,
    .keys = KEYS({"torch", &number, false, "What ${name} stands for in PyTorch texts."},
                 {"candle", &number, false, "What ${name} stands for in candle texts."})};

static const parity_form variants = {
    .name = "variants",
    .wants = "a list of values, or a mapping of labels to texts",
    .shapes = PARITY_SEQUENCE | PARITY_MAPPING,
    .items = &label,
    .values = &variant,
    .names = &label};

static const parity_form matrix = {.name = "matrix",
                                   .wants = "names with lists of values",
                                   .shapes = PARITY_MAPPING,
                                   .values = &variants,
                                   .names = &name};

static const parity_form duration = {.name = "duration",
                                     .wants = "a time such as 2s, 500ms or 1.5",
                                     .shapes = PARITY_SCALAR,
                                     .scalar = PARITY_NUMBER,
                                     .pattern = "^[0-9]+(\\.[0-9]+)?(ms|s|min)?$",
                                     .accepts = parity_is_duration};

static const parity_form size = {.name = "size",
                                 .wants = "a size such as 512MiB or 4GiB",
                                 .shapes = PARITY_SCALAR,
                                 .scalar = PARITY_NUMBER,
                                 .pattern = "^[0-9]+(KiB|MiB|GiB)?$",
                                 .accepts = parity_is_size};

static const parity_form truth = {.name = "truth",
                                  .wants = "true or false",
                                  .shapes = PARITY_SCALAR,
                                  .scalar = PARITY_TRUTH};

const parity_form parity_form_case = {
    .name = "case",
    .wants = "a mapping with title:, torch: and candle:",
    .shapes = PARITY_MAPPING,
    .keys = KEYS(
        {"title", &sentence, true, "One line that names the case."},
        {"about", &sentence, false, "What the case is about, in a sentence or two."},
        {"torch", &program, false, "The PyTorch program: Python, run as it stands."},
        {"candle", &program, false, "The candle program: Rust, as pasted into main."},
        {"matrix", &matrix, false,
         "Names with lists of values: a case for each combination."},
        {"data", &data, false, "Tensors that both programs find bound, with equal bits."},
        {"subjects", &subjects, false, "What snapshot rows are of."},
        {"rows", &rows, false, "What is observed when the program has ended, in order."},
        {"finding", &reasons, false, "Why the two programs end differently."},
        {"devices", &devices, false, "How the case departs on a device."},
        {"versions", &versions, false, "How the case departs in some versions."},
        {"ends", &ends, false, "How a program ends other than by running through."},
        {"intents", &intents, false, "Lines of the table of intents."},
        {"timeout", &duration, false,
         "How long one run may take once the worker is warm."},
        {"memory", &size, false, "How much memory the program may have."},
        {"fresh", &truth, false, "Run it in a process of its own."},
        {"skip", &reasons, false, "Do not run it, and why."})};
