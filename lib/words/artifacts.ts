import { quotingSentencesOf } from '@/lib/base/catalogue'

/** What stands around files that are shown beside the chat, and pages that run there. */
export const artifactSentence = quotingSentencesOf({
  /** How a sentence about what did not load begins. */
  'artifact.part': 'The view beside the chat',
  'artifact.label': '{name}, beside the chat',
  'artifact.loading': 'Opening …',
  'artifact.unreadable': 'This can’t be read. {why}',
  'artifact.not-text': 'This is no text, so there is nothing to show here. The workspace shows its bytes.',
  'artifact.gone': 'This file is not there any more. This is how it was last.',
  'artifact.from-reply': 'From a code block of the chat: it is not among the files yet.',

  'artifact.files': 'To the files',
  'artifact.reload': 'Load it again',
  'artifact.full': 'Full screen',
  'artifact.no-full': 'This browser does not give it the whole screen.',
  'artifact.download': 'Download',
  'artifact.close': 'Close what is beside the chat',
  'artifact.open': 'Open beside the chat',
  'artifact.how': 'How it is shown',
  'artifact.view': 'View',
  'artifact.source': 'Source',
  'artifact.compare': 'Compare',

  'artifact.run': 'Run this page',
  'artifact.run-file': 'Run {name}',
  'artifact.run-again': 'Run it again',
  'artifact.stop': 'Stop',
  'artifact.open-file': 'Open {name}',
  'artifact.offer': 'Pages of this reply',
  'artifact.static': 'Shown without its scripts and without network.',
  'artifact.plain': 'Shown without network. It has no scripts.',
  'artifact.sealed': 'It runs in a sealed frame: no network, no storage, no way into this chat.',
  'artifact.not-apart':
    'This browser gives the page no process of its own: should it never stop, this tab hangs with it. What you typed is kept.',
  'artifact.run-anyway': 'Run it all the same',
  'artifact.ended.hung': 'The page did not answer for {ms, span} and was ended. Nothing else was touched.',
  'artifact.ended.left':
    'The page tried to go elsewhere and was ended. Its links lead to other pages of the files; its scripts lead nowhere.',
  'artifact.ended.flooded': 'The page sent more messages than anyone can read and was ended.',
  'artifact.ended.unstarted':
    'The frame for the page did not start. Load it again; if that does not help, reload this tab.',
  'artifact.ended.keyboard':
    'The page tried to take the keyboard and was ended. A page gets the keyboard only when you click in it.',
  'artifact.ended.stopped': 'You stopped the page.',
  'artifact.link': 'A link to {address} was pressed. It leads out of the files of this chat, so it was not followed.',
  'artifact.link.missing': 'A link to {path} was pressed. There is no such file in this workspace.',
  'artifact.link.unasked': 'The page tried to show {path} by itself. Only a press in it can.',
  'artifact.form':
    'A form was sent to {address, select, empty {the page itself} other {{address}}}. A page here has no server, so nothing left it.',
  'artifact.back': 'Back to {name}',
  'artifact.forward': 'On to {name}',
  'artifact.no-back': 'This is the first page',
  'artifact.no-forward': 'This is the last page',
  'artifact.missing': 'Not in this workspace: {names, list}.',
  'artifact.missing-more': 'Not in this workspace: {names, list} and {count, number} more.',
  'artifact.left':
    'Too much to take along, as a page may bring {files, number} files of {bytes, bytes} in all: {names, list}.',
  'artifact.left-more':
    'Too much to take along, as a page may bring {files, number} files of {bytes, bytes} in all: {names, list} and {count, number} more.',
  'artifact.remote': 'On the network, so left out: {names, list}.',
  'artifact.remote-more': 'On the network, so left out: {names, list} and {count, number} more.',

  'artifact.console': 'What the page printed',
  'artifact.console.lines':
    'Console: {lines, plural, one {# line} other {# lines}}{errors, plural, =0 {} one {, # error} other {, # errors}}',
  'artifact.console.refused': 'Refused: {address}',
  'artifact.console.missing': 'Not in this workspace: {path}',
  'artifact.console.left':
    'Not taken along, as it is too much: {path}. A page may bring {files, number} files of {bytes, bytes} in all.',
  'artifact.console.written': 'Refused: {path}. A page here has no server that it could write to.',
  'artifact.console.earlier': '{count, plural, one {# earlier line is} other {# earlier lines are}} not shown.',
  'artifact.console.send': 'Put it into the message',
  'artifact.console.clear': 'Clear',

  'artifact.ask': 'Ask for a change here',
  'artifact.ask.how': 'Press a place in the page. By keys: the arrows go through it, Enter takes, Esc ends.',
  'artifact.ask.select': 'Select text first to ask about it; else the message names the file.',
  'artifact.ask.done': 'It stands in the message field: say what should change.',

  'artifact.version': 'Version {number, number} of {count, number}',
  'artifact.version.older': 'Older version',
  'artifact.version.newer': 'Newer version',
  'artifact.version.by-call': 'by {tool}, {at, moment}',
  'artifact.version.by-you': 'by you, {at, moment}',
  'artifact.version.before': 'as it stood before the first change that is remembered',
  'artifact.restore': 'Restore this version',
  'artifact.restored': 'Version {number, number} is back, as a new version: the list of changes takes that back too.',
  'artifact.not-restored': 'Nothing was restored. {why}',
  'artifact.same': 'Nothing of it stands differently now.',
  'artifact.differs': 'From version {number, number} to now: {path}',
  'artifact.differs-bytes': '{path} changed; it is no text, or too different to be compared here.',

  'artifact.quote.place': 'In {path}, at `{selector}`:',
  'artifact.quote.file': 'In {path}:',
  'artifact.quote.line': 'In {path}, line {line}:',
  'artifact.quote.lines': 'In {path}, lines {first}–{last}:',
  'artifact.quote.console': 'The page {path} printed this; the words are its own:',
})
