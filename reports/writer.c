#include "reports/writer.h"
#include "harness/base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

static utf8proc_int32_t next(const char **text)
{
    utf8proc_int32_t character;
    utf8proc_ssize_t used =
        utf8proc_iterate((const utf8proc_uint8_t *)*text, -1, &character);
    *text += used > 0 ? used : 1;
    return used > 0 ? character : 0xfffd;
}

static void add(parity_buffer *out, utf8proc_int32_t character)
{
    utf8proc_uint8_t bytes[4];
    parity_buffer_add(out, bytes, (size_t)utf8proc_encode_char(character, bytes));
}

static bool turns_direction(utf8proc_int32_t c)
{
    return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e ||
           c == 0x200f;
}

static void add_plain(parity_buffer *out, utf8proc_int32_t c)
{
    if (c < 0x20 || (c >= 0x7f && c < 0xa0))
        parity_buffer_printf(out, "\\x%02x", (unsigned)c);
    else if (turns_direction(c) || c == 0x2028 || c == 0x2029)
        parity_buffer_printf(out, "\\u{%x}", (unsigned)c);
    else
        add(out, c);
}

void report_plain(parity_buffer *out, const char *text)
{
    while (*text)
        add_plain(out, next(&text));
}

void report_markdown(parity_buffer *out, const char *text)
{
    while (*text) {
        utf8proc_int32_t c = next(&text);
        if (c == '\n' || c == '\r' || c == '\t')
            parity_buffer_char(out, ' ');
        else if (c == '<' || c == '>' || c == '&')
            parity_buffer_text(out, c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&amp;");
        else if (c < 0x80 && strchr("\\`*_{}[]#|!~$", (int)c) && c)
            parity_buffer_printf(out, "\\%c", (char)c);
        else
            add_plain(out, c);
    }
}

static size_t longest_run(const char *text, char c)
{
    size_t longest = 0, run = 0;
    for (; *text; text++) {
        run = *text == c ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

void report_markdown_code(parity_buffer *out, const char *text)
{
    size_t length = strlen(text), fence = longest_run(text, '`') + 1;
    if (!length)
        return;
    bool apart =
        text[0] == '`' || text[length - 1] == '`' ||
        (text[0] == ' ' && text[length - 1] == ' ' && strspn(text, " ") < length);
    for (size_t i = 0; i < fence; i++)
        parity_buffer_char(out, '`');
    parity_buffer_text(out, apart ? " " : "");
    while (*text) {
        utf8proc_int32_t c = next(&text);
        if (c == '\n' || c == '\r')
            parity_buffer_char(out, ' ');
        else if (c == '|')
            parity_buffer_text(out, "\\|");
        else
            add_plain(out, c);
    }
    parity_buffer_text(out, apart ? " " : "");
    for (size_t i = 0; i < fence; i++)
        parity_buffer_char(out, '`');
}

json_t *report_json(const char *text)
{
    if (!text)
        return json_null();
    json_t *string = json_string(text);
    if (string)
        return string;
    parity_buffer clean = {0};
    while (*text)
        add(&clean, next(&text));
    string = json_string(clean.data ? clean.data : "");
    parity_buffer_free(&clean);
    return string;
}

void report_script_data(parity_buffer *out, const char *json)
{
    for (const char *open; (open = strchr(json, '<')); json = open + 1) {
        parity_buffer_add(out, json, (size_t)(open - json));
        parity_buffer_text(out, "\\u003c");
    }
    parity_buffer_text(out, json);
}

void report_xml(parity_buffer *out, const char *text)
{
    while (*text) {
        utf8proc_int32_t c = next(&text);
        if (c == '<' || c == '>')
            parity_buffer_text(out, c == '<' ? "&lt;" : "&gt;");
        else if (c == '&' || c == '"')
            parity_buffer_text(out, c == '&' ? "&amp;" : "&quot;");
        else if (c == '\n')
            parity_buffer_char(out, '\n');
        else
            add_plain(out, c == 0xfffe || c == 0xffff ? 0xfffd : c);
    }
}

void report_csv(parity_buffer *out, const char *text)
{
    parity_buffer plain = {0};
    report_plain(&plain, text);
    bool quotes = plain.data && strpbrk(plain.data, "\",");
    parity_buffer_text(out, quotes ? "\"" : "");
    for (const char *p = plain.data; p && *p; p++)
        parity_buffer_printf(out, *p == '"' ? "\"%c" : "%c", *p);
    parity_buffer_text(out, quotes ? "\"" : "");
    parity_buffer_free(&plain);
}

void report_shell(parity_buffer *out, const char *word)
{
    static const char safe[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./@:+,=%";
    if (*word && strspn(word, safe) == strlen(word)) {
        parity_buffer_text(out, word);
        return;
    }
    parity_buffer_char(out, '\'');
    for (; *word; word++)
        parity_buffer_printf(out, *word == '\'' ? "'\\%c'" : "%c", *word);
    parity_buffer_char(out, '\'');
}

size_t report_width(const char *text)
{
    size_t width = 0;
    while (*text)
        width += (size_t)utf8proc_charwidth(next(&text));
    return width;
}

void report_pad(parity_buffer *out, const char *text, size_t width)
{
    parity_buffer plain = {0};
    report_plain(&plain, text);
    size_t used = plain.data ? report_width(plain.data) : 0;
    parity_buffer_add(out, plain.data, plain.length);
    for (; used < width; used++)
        parity_buffer_char(out, ' ');
    parity_buffer_free(&plain);
}

char *report_shorten(const char *text, size_t most)
{
    size_t length = strlen(text);
    if (length <= most)
        return parity_strdup(text);
    while (most && ((unsigned char)text[most] & 0xc0) == 0x80)
        most--;
    parity_buffer out = {0};
    parity_buffer_add(&out, text, most);
    parity_buffer_text(&out, "…");
    return parity_buffer_take(&out);
}

const char *report_sentence(const parity_sentence *sentence,
                            const parity_report_options *options)
{
    if (sentence->zh && options->lang && strcmp(options->lang, "zh") == 0)
        return sentence->zh;
    return sentence->en ? sentence->en : sentence->zh;
}
