export { type NodeFileSystem, nodeFileSystem } from './node-file-system.js'
export type { NodeFileSystemOptions } from './node-file-system-options.js'
