// The entry: decides in a few lines what this process is, and loads only that.
console.log("burin");
