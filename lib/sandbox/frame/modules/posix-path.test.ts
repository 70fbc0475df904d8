import { posix } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { posixPath } from './resolve'

// Slashes in a row are left out: Node itself treats them from method to method in another way.
const part = fc
  .stringMatching(/^(?:\/|\.\.?|[ab.]{0,3}|\.[a-z]|x\.[ab]{1,2}){0,6}$/)
  .filter((text) => !text.includes('//'))

test('does what Node’s own path does', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), part, part, (parts, one, other) => {
      const rooted = `/${one}`
      const all = (
        path: Pick<typeof posix, 'join' | 'normalize' | 'dirname' | 'basename' | 'extname' | 'isAbsolute'>,
      ) => [
        path.join(...parts),
        path.normalize(one),
        path.dirname(one),
        path.basename(one),
        // Node forgets to drop a slash at the end when there is a suffix.
        path.basename(one.replace(/\/$/, ''), '.a'),
        path.extname(one),
        path.isAbsolute(one),
      ]
      expect(all(posixPath)).toEqual(all(posix))
      expect(posixPath.resolve('/', ...parts)).toBe(posix.resolve('/', ...parts))
      expect(posixPath.relative(rooted, `/${other}`)).toBe(posix.relative(rooted, `/${other}`))
      // Node takes the last dot of `/..` for an extension.
      if (/\.\.\/?$/.test(one)) return
      expect(posixPath.parse(one)).toEqual(posix.parse(one))
      expect(posixPath.format(posixPath.parse(one))).toBe(posix.format(posix.parse(one)))
    }),
    { numRuns: 500 },
  )
})
