import { moveForeignNodes } from '@/lib/client/state/foreign-nodes'

// Next runs this before React takes over what the server drew.
moveForeignNodes(document.body)
