export { formatBytes } from '@/lib/base/format-bytes'
