// RUN: diablo-opt %s -p choose-layouts --remarks 2>&1 | filecheck %s

// CHECK:      remark: the layout of A is 'form = auto': it is iterated by rows
// CHECK:      remark: the layout of E is 'form = auto, orders = {{\[\[}}1, 0]]': it is iterated by columns; so each sum over a column is made by one thread
// CHECK:      remark: the layout of B is 'form = auto, orders = {{\[\[}}0, 1], [1, 0]], directory = array': it is iterated by rows and by columns; the values are stored once, with further lists for each further order; single elements are looked up
// CHECK:      remark: the layout of S is 'form = auto, orders = {{\[\[}}1, 0]]': slices of dimension 1 are read
// CHECK:      remark: the layout of O is 'form = auto': it is iterated by rows; a single slice of dimension 1 is looked for among all entries
// CHECK:      remark: the layout of T is 'form = band' (diagonal): it is iterated by rows and by columns; its indices lie in a band about the diagonal; a band can be gone through in every order
// CHECK:      remark: the layout of V is 'form = coordinates': it is iterated in any order; an array of 3 dimensions has fewer entries than lists; it is Boolean and has no values
// CHECK:      remark: the layout of P is 'form = auto': some 149 products go by columns, which add up as it is stored: making that order would take as long as some 150 of them save; it is iterated by rows
// CHECK:      remark: the layout of Q is 'form = auto, orders = {{\[\[}}1, 0]]': it is iterated by columns; so each sum over a column is made by one thread; some 150 products repay making that order
// CHECK-NOT:  remark:
func.func @remarks(
    %A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"A", orders = [[0, 1]]>},
    %E: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"E", orders = [[1, 0]]>},
    %B: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"B", orders = [[1, 0], [0, 1]], random>},
    %S: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"S", slices = [[1]]>},
    %O: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"O", orders = [[0, 1]], single_slices = [[0], [1]]>},
    %T: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"T", orders = [[0, 1], [1, 0]], band>},
    %V: tensor<?x?x?xi1, #tensor_block.tiles<dense = 0>> {sparse_storage.uses = #sparse_storage.uses<"V", any, boolean>},
    %P: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"P", orders = [[0, 1], [1, 0]], times = [0, 149]>},
    %Q: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"Q", orders = [[1, 0]], times = [150]>},
    %N: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"N">}) {
  func.return
}
