import { patchMethod } from './answer-requests'

/** How long after a press a script may still move the focus, if the press itself moved none. */
const afterPressMs = 1_000

/**
 * Scripts may move the focus within the page only while the page has it, or right after a press in it. Honest pages
 * that call `focus()` when they load keep running and do not steal the keyboard. Scripts can get round this (through a
 * frame of their own, or the hash); the chat around the page restores the focus then, see `keyboard-guard.ts`.
 */
export function quietFocus(say: (message: object) => void): void {
  let pressedAt = -Infinity
  const hasFocus = document.hasFocus.bind(document)
  const monotonic = performance.now.bind(performance)
  const onPress = ({ isTrusted, type }: Event) => {
    // A page can't create a trusted event.
    if (!isTrusted) return
    pressedAt = monotonic()
    if (type === 'pointerdown') say({ type: 'press', isSeen: true })
  }
  const listen = (target: EventTarget) => {
    for (const type of ['pointerdown', 'pointerup', 'click']) target.addEventListener(type, onPress, true)
  }
  listen(window)
  // A press in a frame of the page is a press in the page.
  addEventListener(
    'load',
    ({ target }) => {
      if (!(target instanceof HTMLIFrameElement)) return
      try {
        if (target.contentWindow) listen(target.contentWindow)
      } catch {
        // The frame is sealed from the page, too: only the browser knows of presses there.
      }
    },
    true,
  )
  // The browser reports a press in a sealed frame of the page, and actions of a screen reader.
  const isActive = activation()
  for (const type of ['focus', 'blur']) {
    addEventListener(type, ({ target }) => {
      if (target !== window) return
      if (isActive()) say({ type: 'press', isSeen: false })
      // Something else was pressed since.
      if (type === 'blur') pressedAt = -Infinity
    })
  }
  const mayFocus = () => hasFocus() || monotonic() - pressedAt < afterPressMs

  for (const owner of [HTMLElement.prototype, SVGElement.prototype, globalThis.MathMLElement?.prototype, window]) {
    if (owner) patchMethod(owner, 'focus', (call, _self, args) => (mayFocus() ? call(args) : undefined))
  }
  const quiet = (owner: object | undefined, names: readonly string[]) => {
    if (owner === undefined) return
    for (const name of names) {
      patchMethod(owner, name, (call, self, args) => (mayFocus() ? call(args) : withoutFocus(self, () => call(args))))
    }
  }
  quiet(HTMLElement.prototype, ['click', 'showPopover', 'togglePopover'])
  quiet(HTMLDialogElement.prototype, ['show', 'showModal', 'close'])
  quiet(HTMLFormElement.prototype, ['reportValidity', 'requestSubmit'])
  quiet(HTMLInputElement.prototype, ['select', 'reportValidity'])
  quiet(HTMLTextAreaElement.prototype, ['select', 'reportValidity'])
  quiet(HTMLSelectElement.prototype, ['reportValidity'])
}

/** An inert element can't be focused: it stays inert while the browser runs the method. */
function withoutFocus(self: unknown, work: () => unknown): unknown {
  // A modal dialog does not become inert with the page around it.
  const held = [document.documentElement, self].filter((one) => one instanceof HTMLElement && !one.inert)
  const set = (inert: boolean) => {
    for (const one of held) (one as HTMLElement).inert = inert
  }
  set(true)
  try {
    return work()
  } finally {
    set(false)
  }
}

/**
 * Whether the browser counts a press in this frame within the last seconds; read in a way that a page can't change
 * later.
 */
function activation(): () => boolean {
  const own = (navigator as { readonly userActivation?: UserActivation }).userActivation
  const access = own && Object.getOwnPropertyDescriptor(Object.getPrototypeOf(own), 'isActive')
  const get: unknown = access && Reflect.get(access, 'get')
  const read = typeof get === 'function' ? (get.bind(own) as () => boolean) : null
  return read ?? (() => false)
}
