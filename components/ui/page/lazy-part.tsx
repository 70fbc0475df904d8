'use client'

import { Suspense, lazy, useState, type ComponentType, type ReactNode, useSyncExternalStore, useEffect } from 'react'
import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import { ErrorBoundary } from './page-failed'
import { overPage, PartFailure, type PartFailureView } from './part-failure'
import { notice } from '../recipes/surface'
import { Wait } from './wait'
import { useLanguage } from './use-language'

export type LazyPartOptions<Props> = LazyPartPlaces<Props> &
  (
    | {
        /** How a sentence about it begins: “Settings”, “The log”; said when it is, in the language of that moment. */
        readonly what: () => string
        /** How it is said that the part is missing. */
        readonly look?: PartFailureView
      }
    | { readonly what?: undefined; readonly look: 'silent' }
  )

interface LazyPartPlaces<Props> {
  /** In its place until it is here; left out: nothing, or, over the page, that it loads. */
  readonly loading?: ReactNode | ((props: Props) => ReactNode)
  /** In its place when it can't be loaded, above the sentence that says so: what of it needs no code of its own. */
  readonly plain?: (props: Props) => ReactNode
  /** What takes the sentence away, for a part that was asked for by a click. */
  readonly close?: (props: Props) => (() => void) | undefined
}

export type LazyPart<Props> = ComponentType<Props> & {
  /** Loads the code ahead; rejects never, the part itself says what is wrong. */
  readonly preload: () => Promise<void>
}

/**
 * A component whose code loads on need. The one way to have one: it is asked for again when the network failed, and what
 * fails, in loading or in drawing, takes no more than its own place. `load` is an `import()` and gets no wrapper.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  { what = () => '', loading, plain, look = 'box', close }: LazyPartOptions<Props>,
): LazyPart<Props> {
  // Asked for by a click, which must not seem to do nothing.
  const coming = () =>
    look === 'over' ? (
      <Wait what={t('base.part-loading', { what: what() })} className={notice({ size: 'banner' }, overPage)} />
    ) : null
  type Code = { readonly default: ComponentType<Props> }
  let code: Code | null = null
  let asked: Promise<Code> | null = null
  let failed = false
  const get = (): Promise<Code> => {
    if (asked) return asked
    asked = loadPart(load).then((loaded) => (code = loaded))
    asked.catch(() => (failed = true))
    return asked
  }
  /** Drawing asks for the same promise again and again: one that failed stays until someone wants the part afresh. */
  const forgetFailure = () => {
    if (!failed || code) return
    asked = null
    failed = false
    waiting = lazy(get)
  }
  const getAgain = () => {
    forgetFailure()
    return get()
  }

  let waiting = lazy(get)

  function Loaded(props: Props) {
    // Chosen once: another type later would draw the part again, and lose what was typed in it.
    const [Part] = useState(() => code?.default ?? waiting)
    return <Part {...props} />
  }

  function Lazy(props: Props) {
    // Asked for again, as by a second click: an old failure says nothing about now.
    useState(forgetFailure)
    const instead = (error: unknown, again: () => void) => (
      <>
        {plain?.(props)}
        <PartFailure
          what={what()}
          error={error}
          load={getAgain}
          onAgain={() => {
            forgetFailure()
            again()
          }}
          onClose={close?.(props)}
          look={look}
        />
      </>
    )
    return (
      <ErrorBoundary instead={instead}>
        <Suspense
          fallback={loading === undefined ? coming() : typeof loading === 'function' ? loading(props) : loading}
        >
          <Loaded {...props} />
        </Suspense>
      </ErrorBoundary>
    )
  }
  const preload = async () => {
    await getAgain().catch(() => undefined)
  }
  return Object.assign(Lazy, { preload })
}

const never = () => () => {}

/** False while the server draws, and while the browser takes over what it drew: both have to draw the same. */
export const useIsLive = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

const Tooltips = lazyPart(() => import('../popups/tooltips'), { look: 'silent' })

/**
 * Turns every control off until the page listens to it: what is typed or pressed in the moment between the server's HTML
 * and the first script would be lost, or sent by the browser as a form of its own.
 */
export function UntilLive({ children }: { children: ReactNode }) {
  const live = useIsLive()
  useLanguage()
  const pointed = useFirstPointing()
  return (
    <fieldset role="none" className="contents" disabled={!live}>
      {children}
      {pointed ? <Tooltips /> : null}
    </fieldset>
  )
}

/** Whether anything was pointed at yet, by the pointer or by Tab: until then nothing has to be said of it. */
function useFirstPointing(): boolean {
  const [pointed, setPointed] = useState(false)
  useEffect(() => {
    if (pointed) return
    const onPointing = (event: PointerEvent | KeyboardEvent) => {
      if ('key' in event ? event.key === 'Tab' : event.pointerType === 'mouse') setPointed(true)
    }
    document.addEventListener('pointerover', onPointing)
    document.addEventListener('keydown', onPointing)
    return () => {
      document.removeEventListener('pointerover', onPointing)
      document.removeEventListener('keydown', onPointing)
    }
  }, [pointed])
  return pointed
}
