'use client'

import { useSyncExternalStore } from 'react'

/** A request to show a message, anywhere in its chat. */
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

/** Replaces an earlier request; the chat's thread handles it. */
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

/** The message field's id: where typing should go. */
export const messageFieldId = 'message'

/** The id of the log with the open chat's messages. */
export const messagesId = 'messages'

/** Focuses the message field. */
export const focusMessage = (): void => document.getElementById(messageFieldId)?.focus({ preventScroll: true })

/** Moves keyboard and screen reader users to the messages; does nothing before the first message. */
export const focusMessages = (): void => document.getElementById(messagesId)?.focus({ preventScroll: true })

/**
 * Whether the message field may take the focus by itself when the page opens or the chat changes. Not on touch screens,
 * where the keyboard would cover the chat, and never away from a field or dialog in use.
 */
export function mayTakeFocus(): boolean {
  if (!window.matchMedia('(pointer: fine)').matches) return false
  const active = document.activeElement
  return (
    active === null ||
    active.closest('input, textarea, select, [contenteditable="true"], [role="dialog"], dialog') === null
  )
}

/** What the panel shows instead of the file tree. */
interface NextToChat {
  /** Whether its scripts may run, because the user pressed Run. */
  readonly run: boolean
  /** A text that is not a file yet, such as a code block. Left out for the file at the path. */
  readonly text?: string
}

/** A request from anywhere in the page to show a file of the open conversation; the workspace panel handles it. */
export interface OpenFileRequest {
  readonly conversationId: string
  /** Absolute. */
  readonly path: string
  /** Left out if the file opens in the workspace. */
  readonly beside?: NextToChat
}

const eventName = 'nod:open-file'

export const requestOpenFile = (request: OpenFileRequest): void => {
  window.dispatchEvent(new CustomEvent<OpenFileRequest>(eventName, { detail: request }))
}

/** Returns a function that stops listening. */
export function onOpenFile(listener: (request: OpenFileRequest) => void): () => void {
  const onRequest = (event: Event) => listener((event as CustomEvent<OpenFileRequest>).detail)
  window.addEventListener(eventName, onRequest)
  return () => window.removeEventListener(eventName, onRequest)
}
