import { toldOf } from '@/lib/base/catalogue'

/** Why a call failed or was stopped: told to the model in English, shown on its card in the reader’s language. */
export const toolTold = toldOf({
  'told.no-tool': 'There is no tool {name}.',
  'told.failed': '{name} failed: {why}',
  'told.failed-oddly': 'The tool failed unexpectedly: {why}',
  'told.files-not-there': 'The files of this branch could not be put in place, so nothing ran. {why}',
  'told.unreadable': 'What this call gave can no longer be read: its row in the storage is damaged.',
  'told.time-up': '{name} did not end within {seconds} s.',
  'told.stopped': 'The user stopped this call.',
  'told.stopped-before': 'The user stopped this call before it started.',
  'told.stopped-unchanged': 'The user stopped this call. Nothing was changed.',
  'told.undeclared': '{name} does not declare whether it reads or changes files.',
  'told.not-connected':
    '{name} is not connected in this tab, so nothing ran. Deny the call, or run it in the tab that is connected to this tool.',

  'told.files.none': 'It changes no files.',
  'told.files.unchanged': 'It changed no files.',
  'told.files.maybe': 'It may have changed files before that.',
  'told.files.not-kept': 'None of its changes to files were kept.',

  'told.arguments.missing':
    '{what, select, empty {The arguments} other {`{what}`}} is missing: it must be {open, select, true {an} other {a}} {expected}.',
  'told.arguments.type':
    '{what, select, empty {The arguments} other {`{what}`}} must be {open, select, true {an} other {a}} {expected}, but it was {was}.',
  'told.arguments.empty': '{what, select, empty {The arguments} other {`{what}`}} must not be empty.',
  'told.arguments.few':
    '{what, select, empty {The arguments} other {`{what}`}} must hold at least {bound, plural, one {1 item} other {{bound} items}}.',
  'told.arguments.small':
    '{what, select, empty {The arguments} other {`{what}`}} must be at least {bound}, but it was {was}.',
  'told.arguments.long': '{what, select, empty {The arguments} other {`{what}`}} may hold at most {bound} characters.',
  'told.arguments.many':
    '{what, select, empty {The arguments} other {`{what}`}} may hold at most {bound, plural, one {1 item} other {{bound} items}}.',
  'told.arguments.large':
    '{what, select, empty {The arguments} other {`{what}`}} must be at most {bound}, but it was {was}.',
  'told.arguments.unknown': 'There is no parameter {names}{more, select, true { …} other {}}.',
  'told.arguments.invalid': '{what, select, empty {The arguments} other {`{what}`}} is not valid.',

  'told.nearest':
    'There is no {wanted, select, file {file} folder {folder} other {file or folder}} at {path}. The nearest name is {nearest}.',
  'told.root-stays': 'The root folder can’t be deleted. Name the files or folders in it. Nothing was deleted.',
  'told.same-path': '{path} is there already: `from` and `to` are the same path.',
  'told.taken-file':
    'There is already a file at {to}, and moving never replaces one. Choose another name. Nothing was moved.',
  'told.taken-folder':
    'There is already a folder at {to}. To move it into that folder, give the whole path: {inside}. Nothing was moved.',

  'told.edit-binary':
    '{path} is not text ({kind, select, png {a PNG image} jpeg {a JPEG image} gif {a GIF image} pdf {a PDF document} zip {a zip archive or office document} gzip {gzip data} sqlite {an SQLite database} other {binary data}}, {size, bytes}), so it can’t be edited here.',
  'told.read-binary':
    '{path} is not text ({kind, select, png {a PNG image} jpeg {a JPEG image} gif {a GIF image} pdf {a PDF document} zip {a zip archive or office document} gzip {gzip data} sqlite {an SQLite database} other {binary data}}, {size, bytes}), so it can’t be read here. Code can read its bytes with fs.readFile.',
  'told.show-binary':
    '{path} can’t be shown: it is {kind, select, png {a PNG image} jpeg {a JPEG image} gif {a GIF image} pdf {a PDF document} zip {a zip archive or office document} gzip {gzip data} sqlite {an SQLite database} other {binary data}}, {size, bytes}. Images, tables and texts can.',
  'told.show-large': '{path} is too large to be shown: {size, bytes}. Show a part of it, made with code.',
  'told.show-what': 'Give the `path` of a file, or a `chart`, or both.',
  'told.show-nothing': 'Nothing could be shown.',
  'told.show-late': 'It took too long and was stopped. Show fewer rows or marks.',
  'told.show-stopped': 'The user stopped it.',

  'told.edit-pair': 'An edit would leave half of a surrogate pair, which no text file can store. Nothing was changed.',
  'told.write-pair': '`content` holds half of a surrogate pair, which no text file can store. Nothing was written.',
  'told.edit-same':
    '{of, plural, one {The edit} other {Edit {edit} of {of}}} puts the same text in its place, so it changes nothing in {path}. Nothing was changed.',
  'told.edit-often':
    '{of, plural, one {The edit} other {Edit {edit} of {of}}} is not clear: its `search` occurs {times, plural, =2 {twice} =20 {20 times or more} other {{times} times}} in {path}, {where, select, line {all in line {last}} more {at lines {before, list} and {last} and more} other {at lines {before, list} and {last}}}. Add lines around it, so that it occurs once. Nothing was changed.',
  'told.edit-gone':
    '{of, plural, one {The edit} other {Edit {edit} of {of}}} does not fit: its `search` is not in {path} any more after the edits before it. Nothing was changed.',
  'told.edit-none':
    '{of, plural, one {The edit} other {Edit {edit} of {of}}} does not fit: its `search` is not in {path}, and nothing like it is. Read the file, then try again. Nothing was changed.',
  'told.edit-near':
    '{of, plural, one {The edit} other {Edit {edit} of {of}}} does not fit: its `search` is not in {path}. The text at line {line} {spaces, select, true {differs in white space only} other {is the nearest text}}; copy it exactly from `nearest`. Nothing was changed.',

  'told.no-line': 'The file has {total} {total, plural, one {line} other {lines}}; there is no line {line}.',
  'told.no-column': 'Line {line} has {length} characters; there is no column {column}.',

  'told.no-clock': 'There is no clock here.',
  'told.own-zone':
    'This device names its time zone {own}, which is none. Ask with `time_zone` as an IANA name, such as `UTC`.',
  'told.no-zone':
    'There is no time zone “{asked}”. {near, select, empty {An IANA name is needed, such as `{own}`, that of this device.} other {Did you mean `{near}`?}}',

  'told.no-answer': 'The user has not answered this question.',

  'told.query-empty': '`query` is empty: give a text, or a `glob` to list files by name.',
  'told.query-long': '`query` is longer than {most} characters: search for a short part of it.',
  'told.query-break': '`query` has a line break, but lines are searched one by one: give a part of one line.',
  'told.query-pattern':
    '`query` is not a regular expression that JavaScript can read: {why}. Leave `regex` out to search for it as text.',
  'told.search-stopped': 'The user stopped the search.',
  'told.search-late': 'The search took too long and was stopped.',
  'told.search-foreign': '{why}',
  'told.searcher-stopped': 'The part of Nod that searches stopped{why, select, empty {} other { ({why})}}.',
  'told.searcher-not-started': 'The part of Nod that searches could not be started ({why}).',
  'told.searcher-not-reached': 'The part of Nod that searches could not be reached ({why}).',
  'told.pattern-late': 'The pattern took too long and was stopped.',
  'told.pattern-time': 'The time for patterns was used up.',
  'told.pattern-none': 'The sandbox gave back no matches.',
  'told.search-from': 'It came as far as {from}.',
  'told.search-simpler': 'Try a simpler pattern, or a text without `regex`.',
  'told.search-narrower': 'Try again, with a folder or a glob.',

  'told.code-time': 'The code was still running after {seconds} s and was stopped.',
  'told.code-stopped': 'The user stopped the code while it ran.',
})
