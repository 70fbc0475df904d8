/*
 * The types of a service worker's scope that ours uses. TypeScript's libraries for windows and for workers exclude each
 * other.
 */

export interface ExtendableEvent extends Event {
  readonly waitUntil: (work: Promise<unknown>) => void
}

export interface FetchEvent extends ExtendableEvent {
  readonly request: Request
  readonly respondWith: (answer: Promise<Response>) => void
}

export interface MessageFromPage extends ExtendableEvent {
  readonly data: unknown
  readonly source: { readonly id: string } | null
}

export interface NotificationEvent extends ExtendableEvent {
  readonly notification: { readonly data: unknown; readonly close: () => void }
}

export interface WindowClient {
  readonly id: string
  readonly url: string
  readonly focus: () => Promise<unknown>
  readonly postMessage: (message: unknown) => void
}

export interface ServiceWorkerScope {
  readonly location: { readonly origin: string }
  readonly registration: {
    readonly waiting: object | null
    readonly installing: object | null
    readonly unregister: () => Promise<boolean>
  }
  readonly clients: {
    readonly claim: () => Promise<void>
    readonly matchAll: (which: {
      readonly type: 'window'
      readonly includeUncontrolled: boolean
    }) => Promise<readonly WindowClient[]>
    readonly openWindow: (url: string) => Promise<unknown>
  }
  readonly skipWaiting: () => Promise<void>
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(type: 'message', listener: (event: MessageFromPage) => void): void
  addEventListener(type: 'notificationclick', listener: (event: NotificationEvent) => void): void
}
