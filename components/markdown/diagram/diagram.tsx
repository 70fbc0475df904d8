'use client'

import { lazyPart } from '@/components/ui/page/lazy-part'
import { DiagramSource } from './diagram-source'

/** What draws diagrams comes with the first one. */
export const Diagram = lazyPart(() => import('./drawn-diagram'), {
  look: 'silent',
  loading: (props) => <DiagramSource {...props} />,
  plain: (props) => <DiagramSource {...props} />,
})
