export { type NodeFileSystem, type NodeFileSystemOptions, nodeFileSystem } from './node-file-system.js'
