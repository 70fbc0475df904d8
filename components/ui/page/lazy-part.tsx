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
        /** The start of a sentence about it: "Settings", "The log"; translated when it is shown. */
        readonly what: () => string
        /** How to show that the part is missing. */
        readonly look?: PartFailureView
      }
    | { readonly what?: undefined; readonly look: 'silent' }
  )

interface LazyPartPlaces<Props> {
  /** Shown while loading; left out: nothing, or, over the page, a loading message. */
  readonly loading?: ReactNode | ((props: Props) => ReactNode)
  /** Shown above the error if it can't be loaded: content that needs none of its code. */
  readonly plain?: (props: Props) => ReactNode
  /** Closes the error, for a part that was opened by a click. */
  readonly close?: (props: Props) => (() => void) | undefined
}

export type LazyPart<Props> = ComponentType<Props> & {
  /** Loads the code in advance; never rejects, because the part itself shows the error. */
  readonly preload: () => Promise<void>
}

/**
 * A component whose code loads on demand; the only way to create one. It retries when the network failed, and an error
 * in loading or rendering affects only its own place. `load` is an `import()` without a wrapper.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  { what = () => '', loading, plain, look = 'box', close }: LazyPartOptions<Props>,
): LazyPart<Props> {
  // Opened by a click, so it must show that it is loading.
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
  /** Rendering requests the same promise again and again: a rejected one is kept until the part is mounted again. */
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
    // Chosen once: a different type later would remount the part and lose its input.
    const [Part] = useState(() => code?.default ?? waiting)
    return <Part {...props} />
  }

  function Lazy(props: Props) {
    // Mounted again, as by a second click: an old failure says nothing about now.
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

/** False on the server and during hydration: both have to render the same. */
export const useIsLive = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

const Tooltips = lazyPart(() => import('../popups/tooltips'), { look: 'silent' })

/**
 * Disables every control until hydration: input between the server's HTML and the first script would be lost, or sent
 * by the browser as a native form.
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

/** Whether the user has pointed at anything yet, by pointer or Tab; before that no tooltip is needed. */
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
