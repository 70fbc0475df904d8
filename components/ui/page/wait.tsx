'use client'

import { Icon } from '../controls/icon'
import { useEffect, useState, type ReactNode } from 'react'
import { SentenceText } from '../text/foreign-text'
import { recipe } from '../recipes/recipe'

export const Spinner = () => <Icon name="spinner" className="animate-spin motion-reduce:animate-none" />

/** A shorter wait is not shown, because text that flashes can't be read. */
export const waitMs = 400

/** Whether it has lasted longer than `waitMs`. */
export function useLongWait(isWaiting: boolean): boolean {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setLong(true), waitMs)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [isWaiting])
  return isWaiting && isLong
}

export interface WaitProps {
  /** What is being waited for, as a sentence: "Loading the log…". */
  readonly what: string
  readonly className?: string
  /** A button to cancel it, if possible. */
  readonly children?: ReactNode
}

const waitLook = recipe('flex items-center gap-2 text-sm text-muted', {})

/** Says what is being waited for, once it takes longer than a moment. Mounted means waiting. */
export function Wait({ what, className, children }: WaitProps) {
  const isLong = useLongWait(true)
  return (
    <div role="status">
      {isLong ? (
        <p className={waitLook({}, className)}>
          <Spinner />
          <SentenceText text={what} />
          {children}
        </p>
      ) : null}
    </div>
  )
}
