'use client'

import { TYPEAHEAD_MS, typeAhead } from '@/lib/base/text/type-ahead'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import {
  createContext,
  Fragment,
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { SentenceText } from '../text/foreign-text'
import { IconButton, TextButton } from '../controls/button'
import { Icon } from '../controls/icon'
import { Popover, putAt } from './popover'
import { usePopoverButton, type PopoverPosition } from '../controls/use-popover-button'
import { floating, menuItem } from '../recipes/surface'

interface MenuLine {
  readonly label: string
  /** The language of the label, if it is not the page's. */
  readonly lang?: string
  /** The current value, at the end of a row that opens choices. */
  readonly value?: string
  /** It is the current choice. */
  readonly isCurrent?: boolean
  /** Starts a group of the menu below a divider, with this heading; '' for none. */
  readonly group?: string
  /** A key hint, for display only; the menu's owner handles the keys. */
  readonly keys?: string
  /** Why it is unavailable now; it can still be focused and read. */
  readonly unavailable?: string
}

/** `opens`: choosing it replaces the menu with these items. */
export type MenuItem = MenuLine &
  ({ readonly run: () => void; readonly opens?: undefined } | { readonly opens: MenuPage; readonly run?: undefined })

/** A submenu behind a menu item. */
export interface MenuPage {
  readonly label: string
  /** Explains the items, above them. */
  readonly lead?: string
  readonly items: readonly MenuItem[]
}

export interface MenuProps {
  readonly label: string
  readonly at: PopoverPosition
  readonly items: readonly MenuItem[]
  readonly onClose: () => void
}

/**
 * A menu at its opener. Arrow keys, Home, End, first letters, Enter; Esc and Tab close it. Follows the WAI-ARIA menu
 * pattern.
 */
export function Menu({ label: ownLabel, at, items: ownItems, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null)
  const leadId = useId()
  const [page, setPage] = useState<MenuPage | null>(null)
  const { label, items, lead } = page ?? { label: ownLabel, items: ownItems }
  const typed = useRef({ text: '', at: 0 })
  const buttons = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
  useLayoutEffect(() => {
    menu.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
    if (page && menu.current) putAt(menu.current, at)
  }, [page, at])

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    event.stopPropagation()
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault()
      onClose()
      return
    }
    const here = buttons().findIndex((button) => button === document.activeElement)
    const isLetter = event.key.length === 1 && event.key !== ' ' && !(event.altKey || event.ctrlKey || event.metaKey)
    let next = { ArrowDown: (here + 1) % items.length, ArrowUp: here - 1, Home: 0, End: -1 }[event.key]
    if (isLetter) {
      const going = event.timeStamp - typed.current.at < TYPEAHEAD_MS
      typed.current = { text: going ? typed.current.text + event.key : event.key, at: event.timeStamp }
      const names = items.map((item) => item.label)
      const found = typeAhead(names, here, typed.current.text)
      next = found < 0 ? undefined : found
    }
    if (next === undefined) return
    event.preventDefault()
    buttons().at(next)?.focus()
  }
  return (
    // The items handle the keys; the menu itself is never focused.
    <Popover
      ref={menu}
      at={at}
      onClose={onClose}
      className={floating({}, 'fixed m-0 grid max-w-[min(28rem,calc(100vw-1rem))] min-w-48 text-text')}
      role="menu"
      aria-label={visibleText(label, 'prose')}
      {...(lead === undefined ? {} : { 'aria-describedby': leadId })}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      {lead === undefined ? null : (
        <div id={leadId} className="px-2 pt-1 pb-1.5 text-sm text-pretty text-muted">
          {lead}
        </div>
      )}
      {items.map((item, index) => (
        <Fragment key={`${item.label} ${index}`}>
          {item.group === undefined ? null : <GroupHead name={item.group} />}
          <button
            type="button"
            role="menuitem"
            tabIndex={-1}
            lang={item.lang}
            aria-current={item.isCurrent ? true : undefined}
            className={menuItem({}, 'wrap-anywhere focus-visible:-outline-offset-2 pointer-coarse:min-h-touch')}
            {...(item.opens ? { 'aria-haspopup': 'menu' } : {})}
            {...(item.unavailable === undefined ? {} : { 'aria-disabled': true, 'data-tip': item.unavailable })}
            onClick={() => {
              if (item.unavailable !== undefined) return
              if (item.opens) {
                setPage(item.opens)
                return
              }
              onClose()
              item.run()
            }}
          >
            <SentenceText text={item.label} />
            {item.value === undefined ? null : <span className="ms-auto ps-4 text-sm text-muted">{item.value}</span>}
            {item.isCurrent ? <Icon name="ok" className="ms-auto text-muted" /> : null}
            {item.keys ? (
              <kbd aria-hidden="true" className="ms-auto ps-2">
                {item.keys}
              </kbd>
            ) : null}
          </button>
        </Fragment>
      ))}
    </Popover>
  )
}

/** A divider, and the heading of the next group. */
const GroupHead = ({ name }: { name: string }) => (
  <div role="presentation" className="mt-1 border-t border-line pt-1">
    {name === '' ? null : <span className="block px-2 pt-1 pb-0.5 text-sm font-medium text-muted">{name}</span>}
  </div>
)

export interface MenuButtonProps extends Pick<
  ComponentProps<typeof IconButton>,
  'icon' | 'size' | 'className' | 'disabled'
> {
  /** The button's name. */
  readonly label: string
  /** The menu's name; left out: the same. */
  readonly menuLabel?: string
  readonly items: readonly MenuItem[]
}

/** A button that opens a menu below it; the arrow keys open it too. */
export function MenuButton({ label, menuLabel = label, items, ...look }: MenuButtonProps) {
  const { at, close, button } = usePopoverButton()
  return (
    <>
      <IconButton {...look} {...button} label={label} aria-haspopup="menu" />
      {at ? <Menu label={menuLabel} at={at} items={items} onClose={close} /> : null}
    </>
  )
}

/**
 * The actions of one piece of content, e.g. of a table. `items` are read when the menu opens; with an empty label they
 * are lines of that menu, even beside other content.
 */
interface ContentActions {
  readonly label: string
  readonly items: () => readonly MenuItem[]
}

interface Collection {
  readonly all: readonly ContentActions[]
  readonly add: (one: ContentActions) => () => void
}

const Collected = createContext<Collection | null>(null)

/** The content in it puts its actions into one `CollectedMenu`, so that a card stays calm. */
export function CollectActions({ children }: { children: ReactNode }) {
  const [all, setAll] = useState<readonly ContentActions[]>([])
  const add = useCallback((one: ContentActions) => {
    setAll((before) => [...before, one])
    return () => setAll((before) => before.filter((other) => other !== one))
  }, [])
  return <Collected value={useMemo(() => ({ all, add }), [all, add])}>{children}</Collected>
}

/** The content in it shows its actions itself. */
export const OwnActions = ({ children }: { children: ReactNode }) => <Collected value={null}>{children}</Collected>

/** Whether the content is shown with few rows and without buttons of its own. */
export const useIsCollected = (): boolean => useContext(Collected) !== null

/** Offers the actions of a piece of content to the menu around it. False: there is none, so it shows them itself. */
export function useCollected(label: string, items: readonly MenuItem[]): boolean {
  const add = useContext(Collected)?.add
  const latest = useRef(items)
  useEffect(() => {
    latest.current = items
  })
  const isEmpty = items.length === 0
  useEffect(() => (isEmpty ? undefined : add?.({ label, items: () => latest.current })), [add, label, isEmpty])
  return add !== undefined
}

/** One button with what the content offers, after `first`; only the button of `first` if it offers nothing. */
export function CollectedMenu({ label, first }: { label: string; first: MenuItem & { readonly run: () => void } }) {
  const all = useContext(Collected)?.all ?? []
  const { at, close, button } = usePopoverButton()
  if (all.length === 0) {
    return (
      <TextButton aria-expanded={first.isCurrent} onClick={first.run}>
        <SentenceText text={first.label} />
      </TextButton>
    )
  }
  const isOneNamed = all.filter((one) => one.label !== '').length === 1
  const items = () =>
    all.flatMap((one): readonly MenuItem[] =>
      isOneNamed || one.label === ''
        ? one.items()
        : [{ label: one.label, opens: { label: visibleText(one.label, 'prose'), items: one.items() } }],
    )
  return (
    <>
      <TextButton {...button} aria-haspopup="menu">
        <SentenceText text={label} />
      </TextButton>
      {at ? <Menu label={label} at={at} items={[first, ...items()]} onClose={close} /> : null}
    </>
  )
}
