'use client'

import { useSyncExternalStore } from 'react'

/** A message that is to be shown in its place, wherever it stands in its chat. */
export interface Jump {
  readonly conversationId: string
  readonly messageId: string
}

let wanted: Jump | null = null
const listeners = new Set<() => void>()

function setWanted(jump: Jump | null): void {
  wanted = jump
  for (const listener of listeners) listener()
}

/** The next one takes its place; the thread of its chat carries it out. */
export const jumpTo = (jump: Jump): void => setWanted(jump)
export const jumpDone = (jump: Jump): void => {
  if (wanted === jump) setWanted(null)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useJump = (): Jump | null =>
  useSyncExternalStore(
    subscribe,
    () => wanted,
    () => null,
  )

/** The message field's id: the one place where typing should land. */
export const messageFieldId = 'message'

/** The log's id: where the messages of the open chat stand. */
export const messagesId = 'messages'

/** Puts the cursor into the message field. */
export const focusMessage = (): void => document.getElementById(messageFieldId)?.focus({ preventScroll: true })

/** Takes whoever reads by keyboard or ear to the messages; before the first one there is nothing to go to. */
export const focusMessages = (): void => document.getElementById(messagesId)?.focus({ preventScroll: true })

/**
 * Whether the cursor may move to the message field by itself, when the page opens or another chat is shown: not on touch
 * screens, where a keyboard would cover the chat, and never away from a field or a dialog that someone is in.
 */
export function mayTakeFocus(): boolean {
  if (!window.matchMedia('(pointer: fine)').matches) return false
  const active = document.activeElement
  return (
    active === null ||
    active.closest('input, textarea, select, [contenteditable="true"], [role="dialog"], dialog') === null
  )
}

/** What stands beside the chat, instead of the tree of files. */
interface NextToChat {
  /** Whether its scripts may run: someone pressed Run. */
  readonly run: boolean
  /** A text that is no file yet: a block of code. Left out: the file at the path. */
  readonly text?: string
}

/** A wish to see a file of the open conversation, from anywhere in the page; the workspace panel answers it. */
export interface OpenFileRequest {
  readonly conversationId: string
  /** Absolute. */
  readonly path: string
  /** Left out: in the workspace. */
  readonly beside?: NextToChat
}

const eventName = 'nod:open-file'

export const requestOpenFile = (request: OpenFileRequest): void => {
  window.dispatchEvent(new CustomEvent<OpenFileRequest>(eventName, { detail: request }))
}

/** Returns the function that ends it. */
export function onOpenFile(listener: (request: OpenFileRequest) => void): () => void {
  const heard = (event: Event) => listener((event as CustomEvent<OpenFileRequest>).detail)
  window.addEventListener(eventName, heard)
  return () => window.removeEventListener(eventName, heard)
}
