/** Loaded into a child before its program: stops it, as SIGTERM would, when its parent has vanished. */
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
