import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The longest tests, which start first. Started last, they would run alone at the end, on one of the machine's cores.
 * The longest mostly waits for a browser, so the others have the cores meanwhile.
 */
const long = ['browser-suite.test.ts', 'bad-input.test.ts']

const rank = ({ moduleId }: TestSpecification): number => {
  const at = long.findIndex((name) => moduleId.endsWith(`/${name}`))
  return at < 0 ? long.length : at
}

export class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = super.sort
    return (await usual.call(this, files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
