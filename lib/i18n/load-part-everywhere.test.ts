import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** Files of the browser. Server code reads its own disk, and sandboxed frames load by themselves and are restarted. */
const sources = globSync('{app,components,lib}/**/*.{ts,tsx}').filter(
  (file) =>
    !/\.(test|contract|spec)\.tsx?$|\/testing\//.test(file) &&
    // The only place that passes the result of loadPart to React's own `lazy`.
    file !== 'components/ui/page/lazy-part.tsx' &&
    file !== 'components/markdown/diagram/frame.ts' &&
    !/^app\/api\/|^lib\/(server|shared\/models|sandbox\/frame)\/|\.server\.ts$/.test(file),
)

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
const withoutTexts = (text: string): string => text.replace(/`[^`]*`/g, '``')

/** Each `import(` outside `loadPart` and `lazyPart`, and each `lazy(` of React. */
function bareLoads(text: string): readonly string[] {
  const code = withoutTexts(withoutComments(text))
  const guarded = code.replace(/\b(?:loadPart|lazyPart|loadAlone)\(\s*\(\) =>\s*import\(/g, '(')
  return guarded.match(/(?<![\w.])(?:import\(|(?:React\.)?lazy\().*/g) ?? []
}

describe('every part that is loaded lazily', () => {
  it('is reported if it is loaded without a retry', () => {
    expect(bareLoads("const a = lazy(() => import('./a'))")).toHaveLength(1)
    expect(bareLoads("void import('./a')")).toHaveLength(1)
    expect(bareLoads("lazyPart(() => import('./a'), {}); await loadPart(() => import('./b'))")).toEqual([])
  })

  it('uses loadPart or lazyPart', () => {
    expect(sources.length).toBeGreaterThan(300)
    const bare = sources.flatMap((file) => bareLoads(readFileSync(file, 'utf8')).map((line) => `${file}: ${line}`))
    expect(bare).toEqual([])
  })
})
