'use client'

import { useId, useMemo, useState, type KeyboardEvent, useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { Dialog } from '@/components/ui/popups/dialog'
import { SentenceText, ForeignText } from '@/components/ui/text/foreign-text'
import { Icon } from '@/components/ui/controls/icon'
import { IconButton } from '@/components/ui/controls/button'
import { Kbd } from '@/components/ui/controls/kbd'
import { note } from '@/components/ui/recipes/surface'
import { Wait } from '@/components/ui/page/wait'
import { rankEntries, type RankedGroup } from '@/lib/client/commands/rank-entries'
import { t } from '@/lib/i18n/t'
import { mostOf, type PaletteEntry, type PaletteGroup } from './palette-entry'
import { cx } from '@/components/ui/recipes/recipe'
import type { ConversationSummary } from '@/lib/shared/conversation/conversation'
import type { FoundMessage } from '@/lib/shared/conversation/search/list-filter'
import { findApi } from '@/lib/client/wiring/find-api.browser'

interface PaletteRowsProps {
  /** Prefix of the row ids; the row number follows. */
  readonly id: string
  readonly groups: readonly RankedGroup<PaletteGroup, PaletteEntry>[]
  /** The row that Enter runs. */
  readonly at: number
  readonly onPoint: (id: string) => void
  readonly onRun: (entry: PaletteEntry) => void
}

/** The matching entries by group; rows are numbered across groups. */
function PaletteRows({ id, groups, at, onPoint, onRun }: PaletteRowsProps) {
  let before = 0
  return groups.map(({ group, entries, more }) => {
    const first = before
    before += entries.length
    return (
      <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
        <div id={`${id}-${group}`} role="presentation" className="px-2 pt-2 pb-1 text-xs font-medium text-muted">
          {t(`command.group.${group}`)}
        </div>
        {entries.map((entry, index) => (
          <Row
            key={entry.id}
            id={`${id}-${first + index}`}
            entry={entry}
            selected={first + index === at}
            onPoint={() => onPoint(entry.id)}
            onRun={() => onRun(entry)}
          />
        ))}
        {more > 0 && group !== 'recent' ? (
          <div role="presentation" className="px-2 py-1 text-sm text-muted">
            {t('command.more', { count: more })}
          </div>
        ) : null}
      </div>
    )
  })
}

interface RowProps {
  readonly id: string
  readonly entry: PaletteEntry
  readonly selected: boolean
  readonly onPoint: () => void
  readonly onRun: () => void
}

const rowLook = cx(
  'flex min-h-8 w-full items-center text-start gap-2.5 rounded-md px-2 py-1 aria-selected:bg-hover pointer-coarse:min-h-touch',
  'forced-colors:aria-selected:outline-2 forced-colors:aria-selected:outline-[Highlight] [&>svg]:text-muted',
)

function Row({
  id,
  entry: { icon, label, written, beside = '', now = false, keys },
  selected,
  onPoint,
  onRun,
}: RowProps) {
  const row = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (selected) row.current?.scrollIntoView?.({ block: 'nearest' })
  }, [selected])
  return (
    // The field handles the keys; here only the pointer chooses.
    <button
      ref={row}
      type="button"
      tabIndex={-1}
      id={id}
      className={rowLook}
      role="option"
      aria-selected={selected}
      onPointerMove={selected ? undefined : onPoint}
      onClick={onRun}
    >
      <Icon name={icon} />
      <span className="min-w-0 flex-initial truncate" dir={written === 'prose' ? 'auto' : undefined}>
        {written ? <ForeignText text={label} reading={written} /> : label}
      </span>
      {beside === '' ? null : (
        <span className="min-w-8 flex-1 truncate text-sm text-muted">
          <ForeignText text={beside} reading="prose" />
        </span>
      )}
      {now ? (
        <span className="ms-auto inline-flex flex-none items-center gap-1 text-sm text-muted">
          <Icon name="ok" />
          {t('command.now')}
        </span>
      ) : null}
      {keys === undefined ? null : (
        <span className="ms-auto flex-none text-muted">
          <Kbd keys={keys} />
        </span>
      )}
    </button>
  )
}

/** Rows that PageUp and PageDown move by. */
const page = 8

export interface PaletteDialogProps {
  /** What can be searched, as the field's label. */
  readonly label: string
  readonly typed: string
  readonly onType: (typed: string) => void
  /** The query of the shown list: the typed text, or a moment behind it. */
  readonly wanted: string
  readonly entries: readonly PaletteEntry[]
  /** What is still loading, and why a search failed; null for neither. */
  readonly waits: readonly (string | null)[]
  readonly problems: readonly (string | null)[]
  readonly onClose: () => void
}

/** A field with the matching entries below it, chosen with arrow keys and Enter or by a click. */
export function PaletteDialog({ label, typed, onType, wanted, entries, waits, problems, onClose }: PaletteDialogProps) {
  const id = useId()
  const [chosen, setChosen] = useState<string | null>(null)
  const isTyped = wanted.trim() !== ''
  const groups = useMemo(() => rankEntries(entries, wanted, mostOf), [entries, wanted])
  const rows = groups.flatMap((group) => group.entries)
  const at = Math.max(
    0,
    rows.findIndex((entry) => entry.id === chosen),
  )
  const run = (entry: PaletteEntry | undefined) => {
    if (!entry) return
    // Closing returns the focus first, so that the command may move it.
    flushSync(onClose)
    entry.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter ends an input method's composition.
    if (event.nativeEvent.isComposing || event.keyCode === 229 || event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'Enter') {
      event.preventDefault()
      // The list may lag behind the typed text, so Enter runs the best match of the full text.
      run(wanted === typed ? rows[at] : rankEntries(entries, typed, mostOf)[0]?.entries[0])
      return
    }
    const last = rows.length - 1
    const next = {
      ArrowDown: at === last ? 0 : at + 1,
      ArrowUp: at === 0 ? last : at - 1,
      PageDown: Math.min(at + page, last),
      PageUp: Math.max(at - page, 0),
      Home: typed === '' ? 0 : undefined,
      End: typed === '' ? last : undefined,
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    setChosen(rows[next]?.id ?? null)
  }
  const title = t('command.palette')
  return (
    <Dialog look="palette" label={title} onClose={onClose}>
      <div className="flex items-center gap-2 border-b border-line px-3.5 py-1">
        <Icon name="find" />
        <input
          className="h-10 min-w-0 flex-1 bg-transparent text-lg outline-none"
          role="combobox"
          aria-label={label}
          aria-expanded={rows.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={rows.length > 0 ? `${id}-${at}` : undefined}
          placeholder={label}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            onType(event.target.value)
            setChosen(null)
          }}
          onKeyDown={onKeyDown}
        />
        <IconButton icon="cross" label={t('command.close')} onClick={onClose} />
      </div>
      <div
        id={`${id}-list`}
        className="max-h-[min(26rem,60dvh)] overflow-y-auto p-1.5"
        role="listbox"
        aria-label={t('command.results')}
        // The field keeps the focus; its arrow keys scroll the list.
        tabIndex={-1}
      >
        <PaletteRows id={id} groups={groups} at={at} onPoint={setChosen} onRun={run} />
      </div>
      <div className="grid gap-1 border-t border-line px-3.5 py-2 text-sm text-muted">
        {waits.map((what) => (what ? <Wait key={what} what={what} /> : null))}
        {problems.map((why) =>
          why ? (
            <p key={why} className={note({ tall: true })} role="alert">
              <Icon name="warn" />
              <SentenceText text={why} />
            </p>
          ) : null,
        )}
        <div className="flex items-center gap-4">
          <p className="me-auto" role="status">
            {isTyped ? <SentenceText text={t('command.found', { count: rows.length, typed: wanted.trim() })} /> : null}
          </p>
          <Hint keys="arrows" does={t('command.hint-move')} />
          <Hint keys="enter" does={t('command.hint-run')} />
          <Hint keys="escape" does={t('command.hint-close')} />
        </div>
      </div>
    </Dialog>
  )
}

const Hint = ({ keys, does }: { keys: string; does: string }) => (
  <span aria-hidden="true" className="inline-flex items-center gap-1.5 narrow:hidden">
    <Kbd keys={keys} /> {does}
  </span>
)

interface Finds {
  /** The query of these results. */
  readonly query: string
  readonly chats: readonly ConversationSummary[]
  readonly messages: readonly FoundMessage[]
  /** Why some results are missing, as a sentence. */
  readonly problem: string | null
}

export interface ServerFinds extends Finds {
  /** A request is pending. */
  readonly isLooking: boolean
}

const nothing: Finds = { query: '', chats: [], messages: [], problem: null }
const typingMs = 200

/** One Latin letter matches everything; one Chinese character is a word. */
const isWorthAsking = (query: string): boolean => query.length > 1 || /[^!-~]/.test(query)

/** Searches the titles and messages of all chats on the server, a moment after the last keystroke. */
export function useServerFinds(typed: string, online: boolean): ServerFinds {
  const query = typed.trim()
  const isAsked = isWorthAsking(query)
  const [finds, setFinds] = useState(nothing)
  useEffect(() => {
    if (!isAsked) return
    const asking = new AbortController()
    const { signal } = asking
    const ask = async () => {
      const [chats, messages] = await Promise.all([
        findApi.chats(query, {}, null, signal),
        findApi.search(query, null, signal),
      ])
      if (signal.aborted) return
      const problem = !chats.ok ? chats.error.message : messages.ok ? null : messages.error.message
      setFinds({
        query,
        chats: chats.ok ? chats.value.conversations : [],
        messages: messages.ok ? messages.value.found : [],
        problem,
      })
    }
    // While offline, the error is shown immediately.
    const timer = setTimeout(() => void ask(), online ? typingMs : 0)
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [query, isAsked, online])
  return isAsked ? { ...finds, isLooking: finds.query !== query } : { ...nothing, isLooking: false }
}
