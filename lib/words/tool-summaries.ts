import { sentencesOf } from '@/lib/base/catalogue'

/** What the built-in tools say of a call: what it would do, of what, and how much it did. */
export const toolSentence = sentencesOf({
  /** Megabytes. */
  'tool.loads': 'Loads {size} MB on first use.',
  'tool.imported':
    'It came with an imported chat: the model would be told of it in the words of whoever wrote that file.',
  'tool.damaged': 'The model would be told of a tool whose arguments are not known.',
  'tool.list': 'List the folder {path}',
  'tool.read':
    'Read {path}{lines, select, all {} from {, from line {from, number}} other {, lines {from, number} to {to, number}}}{character, plural, =1 {} other {, from character {character, number}}}',
  'tool.write':
    'Write {size, bytes} to {path}{there, select, unknown {} nothing {, a new file} folder {. There is a folder of that name, so this would fail} other {, replacing a file of {old, bytes}}}',
  'tool.edit': 'Edit {path}',
  'tool.edit-changes':
    'Edit {path}: {count, plural, one {1 change} other {# changes}}{trouble, select, none {} missing {. There is no such file, so this would fail} folder {. That is a folder, so this would fail} other {. On the file as it is now this would fail: {why}}}',
  'tool.delete':
    'Delete {path}{what, select, unknown {} root {. The root folder can’t be deleted, so this would fail} nothing {. There is nothing of that name, so this would fail} file {, a file of {size, bytes}} empty {, a folder without files} other {, {files, plural, one {1 file} other {# files}}, {size, bytes}}}',
  'tool.move':
    'Move {from} to {to}{what, select, unknown {} nothing {. There is nothing of that name, so this would fail} on_file {, where there is already a file, so this would fail} on_folder {, where there is already a folder, so this would fail} file {, a file of {size, bytes}} empty {, a folder without files} other {, {files, plural, one {1 file} other {# files}}, {size, bytes}}}',
  'tool.time': 'Tell the date, the time and the time zone of this device',
  'tool.time-in': 'Tell the date and the time in {zone}',
  'tool.files': 'List the files{place, select, all {} other { in {folder}}}',
  'tool.files-like': 'List the files {glob}{place, select, all {} other { in {folder}}}',
  'tool.search':
    'Search the files{place, select, all {} other { in {folder}}} for {how, select, pattern {lines that match} other {the text}} {query}',
  'tool.search-like':
    'Search the files {glob}{place, select, all {} other { in {folder}}} for {how, select, pattern {lines that match} other {the text}} {query}',
  'tool.ask': 'Ask you a question',
  'tool.chart': 'Show a chart',
  'tool.chart-of': 'Show a chart of {path}',
  'tool.show': 'Show {path}',
  'tool.show-file': 'Show a file',
  'tool.show-chart-in': 'Draw the chart that stands in {path}',
  'tool.show-table': 'Show as a table {path}',
  'tool.show-page-in': 'Show the HTML page that stands in {path}',
  'tool.show-svg-in': 'Show the SVG that stands in {path}',
  'tool.show-large': 'Show {path}, as a table, a chart or JSON. It is too large to be read here before',
  'tool.show-broken': 'Show {path}. It is no valid JSON, so this would fail',
  'tool.code': '{lines, plural, one {# line} other {# lines}} of {language}',
  'tool.run-code': 'Run {lines, plural, one {# line} other {# lines}} of {language}',
  'tool.yours': 'Have your own server do {name}, with these arguments',
  'tool.yours-called': 'Have your own server do {name}, which it calls {title}, with these arguments',
  'tool.would-go': 'Files that would go',
  'tool.would-move': 'Files that would move',

  'tool.edits':
    '{count, plural, one {1 change} other {# changes}}{now, select, same {} utf8 {, written as UTF-8 now} other {, in {encoding}}}',
  'tool.entries': '{count, plural, one {1 entry} other {# entries}}',
  'tool.matches': '{count, plural, one {1 match} other {# matches}}',
  'tool.found-files': '{count, plural, one {1 file} other {# files}}',

  'tool.no-change': '{of, plural, one {it} other {change {number, number}}} changes nothing',
  'tool.often':
    '{of, plural, one {the text to change} other {the text of change {number, number}}} is in the file {times, plural, =2 {twice} =20 {20 times or more} other {# times}}, {where, select, line {all in line {last, number}} more {at lines {before, list} and {last, number} and more} other {at lines {before, list} and {last, number}}}',
  'tool.gone':
    '{of, plural, one {the text to change} other {the text of change {number, number}}} is gone after the changes before it',
  'tool.not-there':
    '{of, plural, one {the text to change} other {the text of change {number, number}}} is not in the file{near, select, no {} other { (the nearest is at line {line, number})}}',
})
