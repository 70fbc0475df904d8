import { WeightsStoreBusy, WeightsStoreFull, type WeightsStore } from '../weights/weights-store'

/** Files in memory, with limited space. */
export function createMemoryPlace(roomBytes = Number.POSITIVE_INFINITY): WeightsStore {
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  const open = new Set<string>()
  const used = () => [...files.values()].reduce((bytes, file) => bytes + file.length, 0)
  return {
    names: () => Promise.resolve([...files.keys()]),
    read(name) {
      const bytes = files.get(name)
      return Promise.resolve(bytes === undefined ? null : new File([bytes], name))
    },
    append(name) {
      if (open.has(name)) return Promise.reject(new WeightsStoreBusy(name))
      open.add(name)
      if (!files.has(name)) files.set(name, new Uint8Array())
      const held = () => files.get(name) ?? new Uint8Array()
      return Promise.resolve({
        get bytes() {
          return held().length
        },
        clear: () => void files.set(name, new Uint8Array()),
        write(part) {
          if (used() + part.length > roomBytes) throw new WeightsStoreFull(name)
          const joined = new Uint8Array(held().length + part.length)
          joined.set(held())
          joined.set(part, held().length)
          files.set(name, joined)
        },
        close: () => void open.delete(name),
      })
    },
    remove(name) {
      if (open.has(name)) return Promise.reject(new WeightsStoreBusy(name))
      files.delete(name)
      return Promise.resolve()
    },
  }
}
