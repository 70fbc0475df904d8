/**
 * A file as llama.cpp reads it, slice by slice, with a count of how far it is: the library itself says nothing until all is
 * loaded.
 */
export function readByPart(file: File, onRead: (doneBytes: number) => void) {
  let reads = 0
  let done = 0
  const watched = new Proxy(file, {
    get(target, key) {
      if (key === 'slice') {
        return (start = 0, end = target.size, type?: string) => {
          reads++
          if (end > done) onRead((done = Math.min(end, target.size)))
          return target.slice(start, end, type)
        }
      }
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value
    },
  })
  return { file: watched, reads: () => reads }
}
