// What this session has read: the memory behind read-before-write and staleness.
