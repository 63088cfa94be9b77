/* escape: text from the program under analysis inside XML, HTML and JSON.
 *
 * Nothing from a source file or a project file reaches a report without passing here. Bytes that
 * are not UTF-8, characters that XML forbids, and those that turn the direction of writing (text
 * would look other than it is) become U+FFFD.
 *
 *     add_xml(&out, "a < b");    // a &lt; b
 *     add_json(&out, "a\"b");    // "a\"b" with its quotation marks
 */
#ifndef REPORT_ESCAPE_H
#define REPORT_ESCAPE_H

#include "base/str.h"

void add_xml(struct str *out, const char *text);  /* element and attribute content, HTML too */
void add_json(struct str *out, const char *text); /* with the quotation marks */
/* A code span in a table of Markdown: one line, no bars, no HTML, nothing that ends it early. */
void add_markdown(struct str *out, const char *text);
/* For formats of lines without any quoting (LCOV): what would end the line is a blank. */
void add_one_line(struct str *out, const char *text);
/* A path as a relative URI: forward slashes, percent-encoded, drive letters and roots dropped. */
void add_uri(struct str *out, const char *path);

#endif
