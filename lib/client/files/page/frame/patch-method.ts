/*
 * Puts something of ours around what the browser does on its prototypes. The page's scripts find ours in its place.
 */

type Call = (self: unknown, args: readonly unknown[]) => unknown

/** `change` is asked instead of the method, and may call it. */
export function patchMethod(
  owner: object,
  name: string,
  change: (call: (args: readonly unknown[]) => unknown, self: unknown, args: readonly unknown[]) => unknown,
): void {
  const own: unknown = Reflect.get(owner, name)
  if (typeof own !== 'function') return
  const replaced = function (this: unknown, ...args: unknown[]): unknown {
    return change((given) => Reflect.apply(own, this, given), this, args)
  }
  Object.defineProperty(owner, name, { value: replaced, configurable: true, writable: true })
}

/** A property's own ways to read and to write it; null: it has none. */
export function accessOf(owner: object | undefined, name: string): { readonly get: Call; readonly set: Call } | null {
  const before = owner === undefined ? undefined : Object.getOwnPropertyDescriptor(owner, name)
  if (before?.get === undefined || before.set === undefined) return null
  return {
    get: (self) => before.get?.call(self) as unknown,
    set: (self, [value]) => before.set?.call(self, value),
  }
}

/** What is written to a property goes through `write`, what is read of it through `read`. */
export function patchProperty(
  owner: object | undefined,
  name: string,
  change: {
    readonly write: (self: Element, value: unknown) => unknown
    readonly read?: (self: Element, value: unknown) => unknown
  },
): void {
  const own = accessOf(owner, name)
  if (own === null || owner === undefined) return
  const { write, read = (_self, value) => value } = change
  Object.defineProperty(owner, name, {
    configurable: true,
    enumerable: true,
    get(this: Element) {
      return read(this, own.get(this, []))
    },
    set(this: Element, value: unknown) {
      own.set(this, [write(this, value)])
    },
  })
}
