// The floor of every ratio: the smallest program, compiled with burin's flags.
console.log("hello");
