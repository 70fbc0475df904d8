import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { commandKeys, type PageCommand } from '@/lib/commands/command-keys'
import { chatDialogs, nodDialogs, pageActions } from './action-table'
import { pageList } from './page-list'

type InPalette =
  | PageCommand
  | keyof typeof chatDialogs
  | keyof typeof nodDialogs
  | 'stop'
  | 'pin'
  | 'archive'
  | 'delete'
  | 'theme-light'
  | 'zh-CN'

/** Why a button of the chat is none of the palette’s. */
type Beside =
  // It belongs to one thing among several: a row, a message, a file that waits to be sent.
  | 'of one thing'
  // It stands in what the palette opens, or closes it.
  | 'of what is open'
  // A notice: it is there only as long as it says something, and its way out stands in it.
  | 'of a notice'
  // Sending is the field’s own key; a decision stands beside what it decides on.
  | 'beside what it acts on'

interface InList {
  readonly palette: InPalette | { readonly page: string }
}

/** Every button and every line of a menu of the frame, the field, the messages and the list of chats, by the reason of its words. */
const buttons: Readonly<Record<string, InList | Beside>> = {
  'frame.all-settings': { palette: { page: '/settings' } },
  'frame.latest': { palette: 'latest' },
  'frame.theme': { palette: 'theme-light' },
  'language.change': { palette: 'zh-CN' },
  'language.failed': { palette: 'zh-CN' },
  'reading.thinking': 'of one thing',
  'rows.account': { palette: { page: '/account' } },
  'rows.import': { palette: 'import' },
  'rows.lab': { palette: { page: '/lab' } },
  'rows.organise': { palette: 'organise' },
  'rows.playground': { palette: { page: '/playground' } },
  'rows.shortcuts': { palette: 'shortcuts' },
  'attach.label': { palette: 'attach' },
  'context.dismiss': 'of a notice',
  'context.make-room': { palette: 'room' },
  'context.title': { palette: 'room' },
  'frame.asking': 'of a notice',
  'frame.dismiss': 'of a notice',
  'frame.more': 'of what is open',
  'frame.new-chat': { palette: 'new-chat' },
  'frame.open-conversations': { palette: 'list' },
  'frame.picker': { palette: 'picker' },
  'frame.reload': 'of a notice',
  'frame.rename': { palette: 'rename' },
  'frame.retry': 'of a notice',
  'frame.send': 'beside what it acts on',
  'frame.settings': { palette: 'settings' },
  'frame.stop': { palette: 'stop' },
  'frame.take-out': { palette: 'share' },
  'frame.theme-change': { palette: 'theme-light' },
  'frame.try-again': 'of a notice',
  'frame.unseen-remove': 'of a notice',
  'frame.workspace': { palette: 'workspace' },
  'list.archive': { palette: 'archive' },
  'list.delete': { palette: 'delete' },
  'list.name': { palette: 'name' },
  'list.pin': { palette: 'pin' },
  'list.rename': { palette: 'rename' },
  'list.settings': { palette: 'settings' },
  'list.tags': { palette: 'tags' },
  'list.unarchive': { palette: 'archive' },
  'list.unpin': { palette: 'pin' },
  'notify.no': 'of a notice',
  'notify.yes': 'of a notice',
  'out.menu': { palette: 'share' },
  'pin.pin': 'of one thing',
  'pin.unpin': 'of one thing',
  'pin.why': 'of one thing',
  'place.no-chat-new': { palette: 'new-chat' },
  'rows.commands': { palette: 'palette' },
  'batch.continue': 'beside what it acts on',
  'batch.deny-all': { palette: 'deny-all' },
  'batch.deny-rest': 'beside what it acts on',
  'batch.run-all': { palette: 'run-all' },
  'batch.run-selected': 'beside what it acts on',
  'batch.select': 'beside what it acts on',
  'batch.send-done': 'beside what it acts on',
  'batch.skip': 'beside what it acts on',
  'file-changes.hide': 'of what is open',
  'file-changes.redo': 'of what is open',
  'file-changes.redo-reply': { palette: 'redo-reply' },
  'file-changes.see': 'of what is open',
  'file-changes.tell': 'of a notice',
  'file-changes.undo': { palette: 'undo-file' },
  'file-changes.undo-reply': { palette: 'undo-reply' },
  'file-changes.undo-with-others': { palette: 'undo-file' },
  'files-panel.close': { palette: 'workspace' },
  'files-panel.download-zip': { palette: 'download-zip' },
  'files-panel.hide-own': 'of what is open',
  'files-panel.new-file': { palette: 'new-file' },
  'files-panel.new-folder': { palette: 'new-folder' },
  'files-panel.show-own': 'of what is open',
  'files-panel.unpack-zip': { palette: 'unpack-zip' },
  'files-panel.upload-files': { palette: 'upload-files' },
  'files-panel.upload-folder': { palette: 'upload-folder' },
  'files-restore.to-message': { palette: 'restore' },
  'line.delete': 'of one thing',
  'line.more': 'of one thing',
  'list.older': 'of one thing',
  'list.older-failed': 'of a notice',
  'line.rename': 'of one thing',
  'thread.branch-after': 'of one thing',
  'thread.branch-before': 'of one thing',
  'thread.cancel': 'of what is open',
  'thread.choose-model': { palette: 'picker' },
  'thread.details': 'of a notice',
  'thread.discard': 'of one thing',
  'thread.edit': 'of one thing',
  'thread.regenerate': { palette: 'regenerate' },
  'thread.retry': { palette: 'regenerate' },
  'thread.send': 'of what is open',
  'thread.try-again': 'of a notice',
  'thread.try-now': 'of a notice',
}

/** What stands on the page before anything is opened, and the menu of a chat. */
const places = [
  'chat',
  'composer',
  'thread',
  'files/attach-area.tsx',
  'files/changes/restore-link.tsx',
  'files/explorer/panel-head.tsx',
  'files/reply-undo.tsx',
  'files/viewer/change-strip.tsx',
  'language/language-button.tsx',
  'room/context-meter.tsx',
  'room/pin-message.tsx',
  'tool-call/batch/batch-bar.tsx',
]
const ofList = ['conversation-nav', 'conversation-row', 'chat-menu', 'more-chats', 'theme-button']
const root = join(import.meta.dirname, '..')

const sourcesOf = (place: string): readonly string[] =>
  place.endsWith('.tsx')
    ? [join(root, place)]
    : readdirSync(join(root, place))
        .filter((name) => name.endsWith('.tsx') && !name.endsWith('.test.tsx'))
        .map((name) => join(root, place, name))

/** Reasons of sentences that stand in a button, in a menu’s line, or are its name. */
function namesIn(source: string): string[] {
  const empty = [...source.matchAll(/<(?:Button|IconButton|TextButton|button|PageLink)\b(?:[^<>]|=>)*\/>/g)]
  const rest = empty.reduce((text, [element]) => text.replace(element, ''), source)
  const elements = [...empty, ...rest.matchAll(/<(Button|IconButton|TextButton|button|PageLink)\b[\s\S]*?<\/\1>/g)]
  const lines = source.matchAll(/\{ label: [^\n]*|\blabel: \w+\([^\n]*/g)
  return [...elements, ...lines].flatMap(([text]) =>
    [...text.matchAll(/\b(?:\w+Sentence|say)\(([^)]*)/g)].flatMap(([, inside = '']) =>
      [...inside.matchAll(/'([a-z-]+\.[a-z0-9.-]+)'/g)].map(([, reason = '']) => reason),
    ),
  )
}

const found = [
  ...new Set(
    [...places, ...ofList.map((name) => `conversations/${name}.tsx`)]
      .flatMap(sourcesOf)
      .flatMap((file) => namesIn(readFileSync(file, 'utf8'))),
  ),
].toSorted()

it('knows of every button of the chat whether the palette does the same, and why not', () => {
  expect(found.length).toBeGreaterThan(40)
  expect(found.filter((reason) => !Object.hasOwn(buttons, reason))).toEqual([])
  expect(Object.keys(buttons).filter((reason) => !found.includes(reason))).toEqual([])
})

it('has in the palette what is said to be there', () => {
  const pages = pageList({ hasAccounts: true, isAdmin: true }).map(({ href }) => href)
  const own = ['stop', 'pin', 'archive', 'delete', 'palette', 'theme-light', 'zh-CN']
  const there = new Set([...Object.keys({ ...pageActions, ...chatDialogs, ...nodDialogs }), ...own])
  for (const known of Object.values(buttons)) {
    if (typeof known === 'string') continue
    if (typeof known.palette === 'string') expect(there).toContain(known.palette)
    else expect(pages).toContain(known.palette.page)
  }
  for (const command of Object.keys(commandKeys)) expect(there).toContain(command)
})
