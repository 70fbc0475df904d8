'use client'

import { TYPEAHEAD_MS, typeAhead } from '@/lib/base/text/type-ahead'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { Fragment, useId, useLayoutEffect, useRef, useState, type ComponentProps, type KeyboardEvent } from 'react'
import { SentenceText } from '../text/foreign-text'
import { IconButton } from '../controls/button'
import { Icon } from '../controls/icon'
import { Popover, putAt } from './popover'
import { usePopoverButton, type PopoverPosition } from '../controls/use-popover-button'
import { floating, menuItem } from '../recipes/surface'

interface MenuLine {
  readonly label: string
  /** The language of the label, where it is not the page's. */
  readonly lang?: string
  /** What is chosen now, at the end of a line that opens choices. */
  readonly value?: string
  /** It is the choice that holds now. */
  readonly isCurrent?: boolean
  /** Begins a part of the menu, below a rule, under this name; '' for none. */
  readonly group?: string
  /** A key hint, for the eye; the keys of what the menu is about do the work. */
  readonly keys?: string
  /** Why it can't be chosen now; it is reached and read all the same. */
  readonly unavailable?: string
}

/** `opens`: choosing it shows these in the menu's place. */
export type MenuItem = MenuLine &
  ({ readonly run: () => void; readonly opens?: undefined } | { readonly opens: MenuPage; readonly run?: undefined })

/** A menu behind an item of another. */
export interface MenuPage {
  readonly label: string
  /** What choosing any of them means, over them. */
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
 * Things to choose from, where it was asked for. Arrows, Home, End, a name's first letters, Enter; Esc and Tab close it.
 * The pattern is WAI-ARIA's menu.
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
    // Keys are for the items in it; the menu itself is never focused.
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
      {items.map((item) => (
        <Fragment key={item.label}>
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

/** A rule, and the name of what follows. */
const GroupHead = ({ name }: { name: string }) => (
  <div role="presentation" className="mt-1 border-t border-line pt-1">
    {name === '' ? null : <span className="block px-2 pt-1 pb-0.5 text-sm font-medium text-muted">{name}</span>}
  </div>
)

export interface MenuButtonProps extends Pick<ComponentProps<typeof IconButton>, 'icon' | 'className' | 'disabled'> {
  /** The button's name. */
  readonly label: string
  /** The menu's; left out: the same. */
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
