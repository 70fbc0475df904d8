import { posix } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { posixPath } from './resolve'

// Excludes repeated slashes: Node itself treats them differently from method to method.
const part = fc
  .stringMatching(/^(?:\/|\.\.?|[ab.]{0,3}|\.[a-z]|x\.[ab]{1,2}){0,6}$/)
  .filter((text) => !text.includes('//'))

test('matches Node’s own path module', () => {
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
        // Node does not drop a trailing slash if there is a suffix.
        path.basename(one.replace(/\/$/, ''), '.a'),
        path.extname(one),
        path.isAbsolute(one),
      ]
      expect(all(posixPath)).toEqual(all(posix))
      expect(posixPath.resolve('/', ...parts)).toBe(posix.resolve('/', ...parts))
      expect(posixPath.relative(rooted, `/${other}`)).toBe(posix.relative(rooted, `/${other}`))
      // Node treats the last dot of `/..` as an extension.
      if (/\.\.\/?$/.test(one)) return
      expect(posixPath.parse(one)).toEqual(posix.parse(one))
      expect(posixPath.format(posixPath.parse(one))).toBe(posix.format(posix.parse(one)))
    }),
    { numRuns: 500 },
  )
})
