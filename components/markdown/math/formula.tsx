'use client'

import { ForeignName } from '@/components/ui/text/foreign-text'
import { lazyPart } from '@/components/ui/page/lazy-part'
import type { FormulaProps } from './drawn-formula'

const AsWritten = ({ written }: FormulaProps) => <ForeignName text={written} reading="code" />

/** The rendering code and its fonts load with the first formula. */
export const Formula = lazyPart(() => import('./drawn-formula'), {
  look: 'silent',
  loading: (props) => <AsWritten {...props} />,
  plain: (props) => <AsWritten {...props} />,
})
