/* Replaces methods and properties on the browser's prototypes with ours. The page's scripts use ours. */

type Call = (self: unknown, args: readonly unknown[]) => unknown

/** `change` is called instead of the method, and may call it. */
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

/** A property's own getter and setter; null: it has none. */
export function accessOf(owner: object | undefined, name: string): { readonly get: Call; readonly set: Call } | null {
  const before = owner === undefined ? undefined : Object.getOwnPropertyDescriptor(owner, name)
  if (before?.get === undefined || before.set === undefined) return null
  return {
    get: (self) => before.get?.call(self) as unknown,
    set: (self, [value]) => before.set?.call(self, value),
  }
}

/** Values written to a property go through `write`, values read from it through `read`. */
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
