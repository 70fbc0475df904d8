'use client'

import {
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useMemo,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { cx } from '@/components/ui/recipes/recipe'
import { rankEntries, type Searchable } from '@/lib/client/commands/rank-entries'

/** An entry that can be picked. */
export interface PickEntry extends Searchable<string> {
  readonly id: string
  readonly label: string
  /** The label or the text beside it is untrusted. */
  readonly isForeign: boolean
  readonly beside: string
  readonly pick: () => void
}

/** Handles a key of the field while the list is open; false leaves the key to the field. */
export type PickKeys = (event: KeyboardEvent) => boolean

interface OptionsProps {
  readonly label: string
  readonly query: string
  readonly entries: readonly PickEntry[]
  /** Headings by group; an untrusted heading gets its own mark. */
  readonly groups: Readonly<Record<string, string>>
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly keys: RefObject<PickKeys | null>
  /** What is loading or failed, as a sentence; null for neither. */
  readonly note: string | null
  readonly onClose: () => void
}

const maxPerGroup = 50

const rowLook = cx(
  'flex min-h-9 w-full items-center gap-3 rounded-md px-2.5 py-1 text-start aria-selected:bg-hover pointer-coarse:min-h-touch',
  'forced-colors:aria-selected:outline-2 forced-colors:aria-selected:outline-[Highlight]',
)

/**
 * A list above the message field, chosen with arrow keys and Enter in the field, or by a click. Renders nothing without
 * a match.
 */
export function Options({ label, query, entries, groups, field, keys, note, onClose }: OptionsProps) {
  const id = useId()
  const [chosen, setChosen] = useState<string | null>(null)
  const ranked = useMemo(() => {
    const most = Object.fromEntries(entries.map(({ group }) => [group, maxPerGroup]))
    return rankEntries(entries, query, most)
  }, [entries, query])
  const rows = ranked.flatMap((group) => group.entries)
  const at = Math.max(
    0,
    rows.findIndex((entry) => entry.id === chosen),
  )
  const current = rows[at]
  const isOpen = rows.length > 0

  useImperativeHandle(keys, () => (event) => {
    if (!isOpen || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false
    if (event.key === 'Escape') onClose()
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const by = event.key === 'ArrowDown' ? 1 : rows.length - 1
      setChosen(rows[(at + by) % rows.length]?.id ?? null)
    } else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) current?.pick()
    else return false
    event.preventDefault()
    return true
  })

  // The field keeps the focus and points to the active option.
  const describe = useEffectEvent((element: HTMLTextAreaElement, isShown: boolean, chosenAt: number) => {
    const active = `${id}-${chosenAt}`
    const attributes = { 'aria-autocomplete': 'list', 'aria-controls': id, 'aria-activedescendant': active }
    for (const [name, value] of Object.entries(attributes)) {
      if (isShown) element.setAttribute(name, value)
      else element.removeAttribute(name)
    }
  })
  useEffect(() => {
    const element = field.current
    if (!element) return
    describe(element, isOpen, at)
    return () => describe(element, false, at)
  }, [field, isOpen, at])
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView?.({ block: 'nearest' })
  }, [id, at])

  if (!isOpen && note === null) return null
  const numbers = new Map(rows.map((entry, index) => [entry, index]))
  return (
    <div className="absolute inset-x-0 bottom-1 z-float max-h-[min(20rem,45dvh)] overflow-y-auto rounded-lg border border-line-strong bg-raised p-1 shadow-float">
      {isOpen ? (
        <div id={id} role="listbox" aria-label={label}>
          {ranked.map(({ group, entries: shown }) => (
            <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
              <div
                id={`${id}-${group}`}
                role="presentation"
                className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted"
              >
                <SentenceText text={groups[group] ?? ''} />
              </div>
              {shown.map((entry) => (
                <Row
                  key={entry.id}
                  id={`${id}-${numbers.get(entry) ?? 0}`}
                  entry={entry}
                  isChosen={entry === current}
                  onPoint={() => setChosen(entry.id)}
                />
              ))}
            </div>
          ))}
        </div>
      ) : null}
      {note === null ? null : (
        <p className="px-2.5 py-2 text-sm text-pretty text-muted" role="status">
          <SentenceText text={note} />
        </p>
      )}
    </div>
  )
}

interface RowProps {
  readonly id: string
  readonly entry: PickEntry
  readonly isChosen: boolean
  readonly onPoint: () => void
}

function Row({ id, entry: { label, beside, isForeign, pick }, isChosen, onPoint }: RowProps) {
  return (
    // The field handles the keys; a press must not take its focus.
    <button
      type="button"
      tabIndex={-1}
      id={id}
      className={rowLook}
      role="option"
      aria-selected={isChosen}
      onPointerMove={isChosen ? undefined : onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={pick}
    >
      <span className="max-w-[70%] flex-none truncate">
        {isForeign ? <ForeignText text={label} reading="prose" /> : <SentenceText text={label} />}
      </span>
      {beside === '' ? null : (
        <span className="min-w-0 flex-1 truncate text-sm text-muted">
          {isForeign ? <ForeignText text={beside} reading="prose" /> : <SentenceText text={beside} />}
        </span>
      )}
    </button>
  )
}
